#pragma once

#include "system/process.h"

#include <functional>
#include <string>
#include <string_view>

namespace sys {

/// Runs a command to its end on a terminal of its own that is shown on ours: what is typed goes there, the
/// keys that interrupt included, and what it prints comes back. The command never holds our terminal, so it
/// can neither type into it nor keep it. What it prints comes through `filter`, which is called with nothing
/// once more at its end. Descriptors 0 and 1 have to be terminals. Ends the command when
/// `cancel_fd` becomes readable. Throws model::EnvironmentError where there are no terminals to be had.
Exit run_on_terminal(Command command, int cancel_fd,
                     const std::function<std::string(std::string_view printed)>& filter);

} // namespace sys
