#pragma once

#include "build/workshop.h"
#include "kit/plan.h"
#include "kit/slots.h"

#include <string>

namespace kit {

/// Compiles and links what a plan says, several sources at once, and returns the bytes of its product. The
/// problem's code is trusted: its compiler is limited, but may read what this user may.
/// Throws model::ContentError where the package does not compile, with the place and the compiler's words,
/// model::EnvironmentError, and model::Interrupted when `cancel_fd` became readable.
std::string make(const Plan& plan, const build::Workshop& workshop, Slots& slots, int niceness,
                 int cancel_fd);

} // namespace kit
