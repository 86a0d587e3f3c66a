#pragma once

#include "system/confinement.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace isolation {

/// What a compiler or linker run may touch, beside the toolchain itself.
struct CompilerAccess {
    std::vector<std::filesystem::path> read;
    std::vector<std::filesystem::path> write;
};

/// Everything a compiler gives up before it reads a learner's file: the network, other processes, and every
/// file that is neither the toolchain's nor listed.
std::shared_ptr<const sys::Confinement> confine_compiler(const CompilerAccess& access);

} // namespace isolation
