#pragma once

#include "app/context.h"
#include "app/exit_code.h"
#include "model/problem.h"
#include "store/store.h"

namespace app {

/// Tries the learner's test, harden/<id>/test.cpp, on right and wrong programs, and tells how many mistakes
/// it finds; makes one to begin with where there is none. A test that fails no right program and finds half
/// of the mistakes reaches the stage `harden`. Throws model::EnvironmentError and judge::Interrupted.
ExitCode try_written_test(const Context& context, const model::Problem& problem, store::Store& store);

} // namespace app
