#pragma once

#include <functional>

namespace harness {

/// Runs a piece of a test case and turns everything that can come out of it into findings: an exception of
/// the learner's, a call without a reply, or an exception of the suite's own. Returns false when it was cut
/// short.
bool run_guarded(const std::function<void()>& body);

} // namespace harness
