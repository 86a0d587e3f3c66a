#pragma once

#include "emulator/trace.h"

#include <optional>
#include <string>
#include <string_view>

namespace emulator {

inline constexpr const char* trace_schema = "engine.trace/1";

/// The trace as one line of JSON.
std::string to_json(const Trace& trace);

/// Reads what `to_json` wrote. Nothing if the text is anything else: it came out of a process that the
/// learner's code shares.
std::optional<Trace> parse_trace(std::string_view text);

} // namespace emulator
