#pragma once

#include "model/problem.h"
#include "system/confinement.h"

#include <memory>

namespace isolation {

/// What the confinement of a worker depends on.
struct WorkerAccess {
    model::Limits limits;
    int program_fd = -1;           ///< the worker's open program file
    std::uint64_t arena_bytes = 0; ///< shared memory that does not count as the worker's own
    bool sanitized = false; ///< AddressSanitizer reserves terabytes of addresses and reads its own memory map
};

/// Everything a worker gives up before it runs a learner's code.
std::shared_ptr<const sys::Confinement> confine_worker(const WorkerAccess& access);

} // namespace isolation
