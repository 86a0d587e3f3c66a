#include "isolation/worker.h"

#include "isolation/filter.h"
#include "isolation/identity.h"
#include "isolation/landlock.h"

#include <array>

namespace isolation {
namespace {

/// The C library, the loader's stacks and guard pages: address space that is not the learner's doing.
constexpr std::uint64_t overhead_bytes = 192ULL << 20;

constexpr std::array loaders{"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"};
constexpr std::array readable{"/lib",
                              "/lib64",
                              "/usr/lib",
                              "/usr/lib64",
                              "/etc/ld.so.cache",
                              "/dev/null",
                              "/dev/urandom",
                              "/sys/devices/system/cpu"};

std::vector<sys::ResourceLimit> resource_limits(const WorkerAccess& access, bool own_user) {
    const model::Limits& limits = access.limits;
    std::vector<sys::ResourceLimit> result{
        {RLIMIT_CPU, static_cast<rlim_t>(limits.cpu.count())},
        {RLIMIT_CORE, 0},
        {RLIMIT_FSIZE, 0},
        {RLIMIT_NOFILE, 32},
        {RLIMIT_MEMLOCK, 0},
        {RLIMIT_MSGQUEUE, 0},
        {RLIMIT_STACK, 8ULL << 20},
    };
    if (!access.sanitized)
        result.push_back({RLIMIT_AS, (limits.memory_mib << 20) + access.arena_bytes + overhead_bytes});
    // The kernel counts a user's threads over all processes, so this bounds the worker only where the user is
    // its own.
    if (own_user) result.push_back({RLIMIT_NPROC, limits.threads + 1});
    return result;
}

} // namespace

std::shared_ptr<const sys::Confinement> confine_worker(const WorkerAccess& access) {
    Landlock landlock;
    landlock.allow_read_and_execute(access.program_fd);
    for (const char* loader : loaders)
        landlock.allow_read_and_execute(std::filesystem::path(loader));
    for (const char* path : readable)
        landlock.allow_read(path);

    auto confinement = std::make_shared<sys::Confinement>();
    confinement->identity = unprivileged_identity();
    confinement->limits = resource_limits(access, confinement->identity.has_value());
    confinement->landlock = landlock.take();
    confinement->own_proc = access.sanitized && confinement->landlock;
    confinement->filter = worker_filter();
    return confinement;
}

} // namespace isolation
