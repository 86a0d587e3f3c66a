#pragma once

#include "build/layout.h"
#include "build/limits.h"
#include "build/toolchain.h"
#include "system/process.h"

#include <string>

namespace build {

/// Runs the compiler, with `-wrapper` where it can: its programs then tell how they ended, and none outlives
/// this process. `command.directory` is where it writes. A run that was killed from outside is made once
/// more. Throws model::EnvironmentError where that happens again, and for what this machine is to blame for.
CompilerRun run_compiler(const Toolchain& toolchain, const Layout& layout, sys::Command command,
                         const sys::RunLimits& limits, int cancel_fd);

/// A compiler's or linker's start and its end, for a debug log. What it printed is not in them: that may
/// quote the source.
std::string in_words(const sys::Command& command);
std::string in_words(const sys::RunOutcome& outcome);

} // namespace build
