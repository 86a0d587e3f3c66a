#pragma once

#include "judge.h"

#include <cstdint>
#include <optional>
#include <string>

namespace judge {

/// The first call of a test after which something was found to be wrong.
struct FailingCall {
    std::uint64_t number = 0; ///< in the recording, counted from 1; 0: it is too large to be in there
    bool before_any = false;  ///< the program ended before it could be called
    std::string says;         ///< what is wrong
};

/// Runs the request's only test in the judged build, its calls recorded in `request.recording_fd`, and names
/// no mistake. Nothing where the test passes. Throws model::EnvironmentError where it did not run to its end,
/// model::ContentError where the suite is broken, and Interrupted.
std::optional<FailingCall> find_failing_call(const build::Workshop& workshop, const Request& request);

} // namespace judge
