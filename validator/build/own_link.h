#pragma once

#include "build/scratch.h"
#include "build/workshop.h"
#include "system/process.h"

namespace build {

/// After a link that failed: throws model::EnvironmentError where a program of ours, with nothing of the
/// learner's in it, does not link with the same libraries either. Somebody removed one since the toolchain
/// was tried out, and the next start tries it out again. `command` runs the compiler in `scratch`.
void require_own_link(const Workshop& workshop, Variant variant, const Scratch& scratch, sys::Command command,
                      int cancel_fd);

} // namespace build
