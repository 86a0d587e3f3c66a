#pragma once

#include "report/console.h"

namespace report {

/// What a submission's kernels moved in each test, kernel by kernel and line by line: all that the trace
/// counted.
std::string render_traffic(const model::Judgement& judgement, const ConsoleStyle& style);

} // namespace report
