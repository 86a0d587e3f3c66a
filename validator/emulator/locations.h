#pragma once

#include "emulator/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace emulator {

/// The arguments of addr2line that resolve every offset of the trace in `program`, program name first. Empty
/// if there is nothing to resolve. Run it where the learner's code cannot reach, and hand its output to
/// `apply_locations`.
std::vector<std::string> addr2line_arguments(const Trace& trace, const std::string& program);

/// Puts files and lines where the trace has offsets, and adds up traffic of the same kind on the same line.
/// Of code inlined from the emulator's headers, or from the views of `common/`, the line that uses it is
/// taken. `output` is what addr2line printed.
void apply_locations(Trace& trace, std::string_view output);

} // namespace emulator
