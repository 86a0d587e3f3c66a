#pragma once

#include <string>

namespace build {

/// A compiler's message about a launch of a kernel whose arguments do not fit its parameters, without the
/// emulator's types in it. Any other message stays as it is.
std::string launch_in_words(std::string message);

} // namespace build
