#pragma once

#include "app/context.h"

#include <string>

namespace app {

/// The problem that was named, or the one accepted last: that is where the stages after the build go on.
std::string named_or_newest_accepted(const Context& context);

} // namespace app
