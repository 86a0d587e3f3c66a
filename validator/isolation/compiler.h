#pragma once

#include "system/confinement.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <vector>

namespace isolation {

/// What each program of a compiler or linker run may use. The time on the clock and the messages of a whole
/// run are limited by the process that starts it.
struct CompilerLimits {
    std::chrono::seconds cpu{60}; ///< a long file with sanitizers takes 25 s where neighbours are busy
    std::uint64_t memory_bytes = 2ULL << 30;
    std::uint64_t file_bytes = 64ULL << 20; ///< of each file that is written
};

/// What a compiler or linker run may touch, beside the toolchain itself.
struct CompilerAccess {
    std::vector<std::filesystem::path> compilers; ///< their own folders may be read, wherever they lie
    std::vector<std::filesystem::path> read;
    std::vector<std::filesystem::path> write;
    std::vector<std::filesystem::path> execute; ///< programs besides the toolchain's
    /// Kept from it even where they lie among the toolchain's folders, as in an engine installed below /usr;
    /// `read` and `write` have the last word.
    std::vector<std::filesystem::path> hidden;
    CompilerLimits limits;
};

/// Everything a compiler gives up before it reads a learner's file: the network, other processes, and every
/// file that is neither the toolchain's nor listed.
std::shared_ptr<const sys::Confinement> confine_compiler(const CompilerAccess& access);

/// The same for a debugger and the program in it: it may trace its own processes besides, and ask a terminal
/// that it was given how it is set. Such a process sees no more of this machine than a compiler does.
std::shared_ptr<const sys::Confinement> confine_debugger(const CompilerAccess& access);

} // namespace isolation
