#pragma once

#include "model/judgement.h"

#include <optional>
#include <string>
#include <vector>

namespace diagnosis {

/// The finding in what a worker printed as a sanitizer stopped it: kind, and the first line of the learner's
/// own files in its stack. Nothing where the text holds no report. The text is untrusted; the most it can do
/// is describe a failure.
std::optional<model::SanitizerFinding> read_sanitizer_report(const std::string& output,
                                                             const std::vector<std::string>& files);

} // namespace diagnosis
