#include "isolation/worker.h"

#include "isolation/ceiling.h"
#include "isolation/cgroups.h"
#include "isolation/files.h"
#include "isolation/filter.h"
#include "isolation/identity.h"
#include "isolation/landlock.h"
#include "isolation/worker_root.h"
#include "model/errors.h"
#include "system/init.h"

#include <algorithm>
#include <cstdio>
#include <sys/utsname.h>

namespace isolation {
namespace {

using model::IsolationLevel;

/// The C library, the loader's stacks and guard pages: address space that is not the learner's doing.
constexpr std::uint64_t overhead_bytes = 192ULL << 20;
/// What a GPU's driver takes of the host: a context, and what it compiles.
constexpr std::uint64_t gpu_overhead_bytes = 2ULL << 30;
constexpr std::uint64_t gpu_threads = 16;
/// Besides, what a launcher keeps on each access of a kernel, and its own processes.
constexpr std::uint64_t launcher_overhead_bytes = 6ULL << 30;
constexpr std::uint64_t launcher_tasks = 64;
constexpr rlim_t launcher_file_bytes = 16ULL << 20; // in its /tmp

/// The mechanisms in use: what the ceiling leaves of what this machine has. Where the floor says that a
/// mechanism held a moment ago, it is not tried again: should it fail now, no worker starts.
struct Means {
    bool filter = false;
    bool landlock = false;
    bool namespaces = false;
    bool cgroup = false;
};

Means means(bool sanitized) {
    const IsolationLevel most = ceiling();
    const IsolationLevel least = floor();
    Means result;
    result.filter = most <= IsolationLevel::D;
    result.landlock = most <= IsolationLevel::C && landlock_abi() > 0;
    result.namespaces =
        most <= IsolationLevel::B && (least <= IsolationLevel::B || namespace_obstacle(sanitized).empty());
    result.cgroup = most == IsolationLevel::A && (least == IsolationLevel::A || cgroup_obstacle().empty());
    return result;
}

IsolationLevel level_of(const Means& means) {
    if (!means.filter) return IsolationLevel::E;
    if (!means.landlock) return IsolationLevel::D;
    if (!means.namespaces) return IsolationLevel::C;
    return means.cgroup ? IsolationLevel::A : IsolationLevel::B;
}

/// The supervisor's canary had more: something changed since, and the report must not claim what is not.
void require_floor(const Means& means) {
    if (level_of(means) > floor())
        throw model::EnvironmentError(
            "the isolation that was observed at the start can no longer be had; run "
            "the command again, and see what the command doctor says");
}

/// Since 5.14 the kernel counts a user's threads in each user namespace; before, over the whole machine.
bool threads_are_counted_in_namespaces() {
    utsname system{};
    int major = 0;
    int minor = 0;
    return uname(&system) == 0 && std::sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
           (major > 5 || (major == 5 && minor >= 14));
}

std::vector<sys::ResourceLimit> resource_limits(const WorkerAccess& access, const Bounds& bounds,
                                                const sys::Confinement& confinement) {
    std::vector<sys::ResourceLimit> result{
        {RLIMIT_CPU, static_cast<rlim_t>(access.limits.cpu.count()), 1},
        {RLIMIT_CORE, 0},
        {RLIMIT_FSIZE, access.launcher.given() ? launcher_file_bytes : 0},
        {RLIMIT_NOFILE, access.gpu_files.empty() ? rlim_t{32} : rlim_t{256}},
        {RLIMIT_MEMLOCK, 0},
        {RLIMIT_MSGQUEUE, 0},
        {RLIMIT_STACK, access.limits.stack_mib << 20},
    };
    if (bounds.address_space) result.push_back({RLIMIT_AS, *bounds.address_space});
    const bool in_namespaces = confinement.root.has_value();
    const bool own_user = confinement.identity || (in_namespaces && threads_are_counted_in_namespaces());
    if (bounds.tasks_of_user && own_user)
        result.push_back(
            {RLIMIT_NPROC, bounds.tasks + (in_namespaces ? 1 : 0)}); // a namespace's first process counts too
    return result;
}

/// What of /proc a driver reads: its own part, and which drivers and processors there are. It names its
/// threads there, too, and does not work where it cannot.
std::vector<sys::OwnPlace> driver_places() {
    return {{"/proc/self", rights::read},
            {"/proc/self/task", rights::read_and_write()},
            {"/proc/devices", rights::read_file, true},
            {"/proc/cpuinfo", rights::read_file, true},
            {"/proc/stat", rights::read_file, true},
            {"/proc/driver/nvidia", rights::read, true},
            {"/proc/sys/vm/mmap_min_addr", rights::read_file, true}};
}

std::vector<sys::OwnPlace> own_places(const WorkerAccess& access) {
    // The processes below a launcher are not known yet. In its namespace there are no others, and a /proc
    // only for a driver.
    if (access.launcher.given())
        return {{"/proc", rights::read_and_write(), true},
                {"/tmp", rights::use_folder()},
                {sys::program_in_sandbox, rights::execute}};
    if (!access.gpu_files.empty()) return driver_places();
    if (access.sanitized) return {{"/proc/self", rights::read}};
    return {};
}

bool is_device(const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::is_character_file(file, error);
}

sys::Fd landlock_ruleset(const WorkerAccess& access) {
    Landlock landlock;
    landlock.allow_read_and_execute(access.program_fd);
    const auto& files = worker_files(access.sanitized);
    if (!files.empty()) landlock.allow_read_and_execute(files.front()); // the loader, which is executed
    for (const std::filesystem::path& file : files)
        landlock.allow_read(file);
    if (!access.gpu_files.empty())
        for (const std::filesystem::path& file : driver_files())
            landlock.allow_read(file);
    for (const std::filesystem::path& file : access.gpu_files) {
        if (is_device(file))
            landlock.allow_device(file);
        else
            landlock.allow_read(file);
    }
    if (access.launcher.given()) {
        for (const std::string& file : access.launcher.files)
            landlock.allow_read_and_execute(file);
        landlock.allow_read_and_execute(access.launcher.program);
    }
    return landlock.take();
}

} // namespace

Bounds bounds_of(const WorkerAccess& access) {
    Bounds bounds;
    const std::uint64_t factor = access.sanitized ? sanitizer_memory_factor : 1;
    const bool has_gpu = !access.gpu_files.empty();
    const std::uint64_t own = (access.limits.memory_mib * factor << 20) + overhead_bytes +
                              (has_gpu ? gpu_overhead_bytes : 0) +
                              (access.launcher.given() ? launcher_overhead_bytes : 0);
    // The pages of the arena that a worker is the first to touch count in its cgroup.
    bounds.memory = own + std::min<std::uint64_t>(access.arena_bytes, access.limits.memory_mib << 20);
    // A driver maps all memory of its GPU, and more.
    if (!access.sanitized && !has_gpu) bounds.address_space = own + access.arena_bytes;
    // The sanitizer has a thread of its own, and so has a driver.
    bounds.tasks = access.limits.threads + 1 + (access.sanitized ? 1 : 0) + (has_gpu ? gpu_threads : 0) +
                   (access.launcher.given() ? launcher_tasks : 0);
    return bounds;
}

std::shared_ptr<const sys::Confinement> confine(const WorkerAccess& access, const Bounds& bounds) {
    const bool has_gpu = !access.gpu_files.empty();
    const Means use = means(access.sanitized || has_gpu);
    require_floor(use);
    if (access.launcher.given() && !(use.namespaces && use.landlock && use.filter))
        throw model::EnvironmentError("it takes namespaces of its own, which are not to be had here");

    auto confinement = std::make_shared<sys::Confinement>();
    confinement->identity = unprivileged_identity();
    if (use.namespaces)
        confinement->root =
            worker_root(access.sanitized, access.gpu_files, access.launcher, access.program_fd);
    if (use.cgroup) confinement->cgroup = make_cgroup(bounds.memory, bounds.tasks + (use.namespaces ? 1 : 0));
    confinement->limits = resource_limits(access, bounds, *confinement);
    if (use.landlock) confinement->landlock = landlock_ruleset(access);
    confinement->fixed_addresses = access.fixed_addresses;
    if (confinement->landlock) confinement->own_places = own_places(access);
    if (use.filter)
        confinement->filter = access.launcher.given() ? launcher_filter()
                              : has_gpu               ? gpu_filter()
                                                      : worker_filter();
    // A worker that unmaps a large arena has its addresses to use.
    const bool addresses_bound = bounds.address_space && *bounds.address_space <= bounds.memory;
    if (!addresses_bound && !confinement->cgroup) confinement->watched_kib = bounds.memory >> 10;
    return confinement;
}

Workplace::Workplace() {
    if (means(false).namespaces) sys::leave_network();
}

std::shared_ptr<const sys::Confinement> confine_worker(const WorkerAccess& access) {
    return confine(access, bounds_of(access));
}

} // namespace isolation
