#pragma once

#include <span>

/// The canary: run in a worker's place under a worker's confinement, it tries what a worker must not be able
/// to do.
namespace canary {

/// One forbidden thing to try. Whatever was not refused is undone; none of it harms the machine.
struct Act {
    const char* name;
    long (*attempt)(); ///< negative, with errno set, when it was refused
};

std::span<const Act> file_acts();
std::span<const Act> process_acts();
std::span<const Act> kernel_acts();
std::span<const Act> limit_acts(); ///< under small limits only

} // namespace canary
