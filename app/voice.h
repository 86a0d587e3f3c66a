#pragma once

#include "app/context.h"
#include "build/workshop.h"
#include "terminal/progress.h"

namespace app {

/// How a build speaks to the user: what is slow on the line of progress, what is worse than it should be as a
/// warning, and notes in the debug log. Context and progress have to outlive it.
build::Voice voice_of(const Context& context, terminal::Progress& progress);

} // namespace app
