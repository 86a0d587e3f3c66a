#pragma once

#include "model/judgement.h"

#include <string>
#include <vector>

namespace isolation {

/// The strongest level to try for, from the environment variable ENGINE_ISOLATION_CEILING: A where it is not
/// set. It exists for tests, which so meet on one machine what other machines have to offer; it can lower
/// the level and never raise it. D leaves out Landlock and E the seccomp filter too: nothing is graded
/// then. Throws model::EnvironmentError when it holds anything but A, B, C, D or E.
model::IsolationLevel ceiling();

/// The weakest level a driver may give its workers, from ENGINE_ISOLATION_FLOOR; E where it is not set. The
/// supervisor sets it to what its canary observed, so that no run is weaker than its report says.
model::IsolationLevel floor();

/// What a driver's environment must hold for its workers to be confined as was observed.
std::vector<std::string> driver_environment(model::IsolationLevel observed);

} // namespace isolation
