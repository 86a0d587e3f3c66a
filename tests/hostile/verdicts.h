#pragma once

#include "battery.h"

#include <string>
#include <vector>

namespace hostile {

/// What a judgement says against a row's expectation, in words; empty where all is as it should be.
std::vector<std::string> held_against(const Row& row, const model::Judgement& judgement);

/// Where a report shows more than it may: `secret`, control characters, text that runs backwards, or a line
/// that a workflow runner would obey.
std::vector<std::string> leaks(const model::Judgement& judgement, const std::string& secret);

/// The row was to fail, and did better than it may.
bool inflated(const Row& row, const model::Judgement& judgement);

} // namespace hostile
