#pragma once

#include "isolation/cgroups.h"
#include "model/judgement.h"
#include "model/launcher.h"
#include "model/problem.h"
#include "system/confinement.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace isolation {

/// What the confinement of a worker depends on.
struct WorkerAccess {
    model::Limits limits;
    int program_fd = -1;           ///< the worker's open program file
    std::uint64_t arena_bytes = 0; ///< shared memory, of whose pages the worker's parent keeps count
    bool sanitized = false; ///< AddressSanitizer reserves terabytes of addresses and reads its own memory map
    bool fixed_addresses = false; ///< ThreadSanitizer knows where a program may lie, and cannot move it here
    /// Device nodes and libraries through which it reaches a GPU; empty: it does not.
    std::vector<std::filesystem::path> gpu_files = {};
    model::Launcher launcher = {}; ///< what starts the program, beside a GPU's driver, where it is given
};

/// A sanitized worker may use this many times the memory: freed memory stays in quarantine, with a shadow.
inline constexpr std::uint64_t sanitizer_memory_factor = 3;

/// Everything a worker gives up before it runs a learner's code, by the strongest means this machine has.
/// Throws model::EnvironmentError where that is less than `floor` (isolation/ceiling.h) demands, and for a
/// launcher where there are no namespaces: it may start processes and make sockets, and only in namespaces of
/// its own do these reach nobody.
std::shared_ptr<const sys::Confinement> confine_worker(const WorkerAccess& access);

/// What the workers of one process have in common, made once before the first of them: an empty network, and
/// the cgroups that one leaves and the next enters. It takes nothing from a worker's confinement, and
/// a worker without one is confined as well. A process that has several threads by then keeps its network.
class Workplace {
  public:
    Workplace();

  private:
    KeptCgroups groups_;
};

/// What the kernel shall bound. For `confine`, through which the canary is given limits small enough to try.
struct Bounds {
    std::optional<std::uint64_t> address_space; ///< bytes
    std::uint64_t memory = 0;                   ///< bytes; by cgroup, else by watching
    std::uint64_t tasks = 0;                    ///< threads, the main one included
    bool tasks_of_user = true;                  ///< by the user's limit as well as by cgroup
};

Bounds bounds_of(const WorkerAccess& access);

/// As `confine_worker`, with other bounds.
std::shared_ptr<const sys::Confinement> confine(const WorkerAccess& access, const Bounds& bounds);

} // namespace isolation
