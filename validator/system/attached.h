#pragma once

#include <string>
#include <vector>

namespace sys {

/// Runs a program of the user's, such as an editor, as a shell would: it has our terminal, descriptors and
/// environment, and what is typed to interrupt it does not end us. Returns its exit status, 128 more than the
/// signal's number where a signal ended it, and 127 where there is no such program. `command` is the program,
/// which PATH finds, and its arguments. Throws model::EnvironmentError where no process can be started.
int run_attached(std::vector<std::string> command);

} // namespace sys
