#pragma once

#include "app/context.h"
#include "build/workshop.h"
#include "terminal/progress.h"

namespace app {

/// How a build speaks to whoever runs a command: what is slow on the line of progress, what is worse than it
/// should be as a warning. Both have to outlive it.
build::Voice voice_of(const Context& context, terminal::Progress& progress);

} // namespace app
