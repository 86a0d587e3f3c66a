#pragma once

#include "system/process.h"

namespace sys {

/// Runs a command to its end on a terminal of its own that is shown on ours: what is typed goes there, the
/// keys that interrupt included, and what it prints comes back. The command never holds our terminal, so it
/// can neither type into it nor keep it. Descriptors 0 and 1 have to be terminals. Ends the command when
/// `cancel_fd` becomes readable. Throws model::EnvironmentError where there are no terminals to be had.
Exit run_on_terminal(Command command, int cancel_fd);

} // namespace sys
