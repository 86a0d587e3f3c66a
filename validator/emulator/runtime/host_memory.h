#pragma once

#include <string>

namespace cuda_emulator {

/// Whose memory of the host an address is, as in "of `table`, a variable of the host"; empty for memory of
/// which it is not known. Only what is known is refused: the program's segments also contain what device code
/// may read, such as literals and `__device__` variables.
std::string host_owner(const void* address);
/// Where the host's stack ends from here on: what is above this address belongs to functions of the host.
void note_host_stack(const void* frame);

} // namespace cuda_emulator
