#pragma once

#include "system/cgroup.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace isolation {

/// Where groups of our own can be made below the one this process is in: on cgroup v2 one folder, on v1 a
/// folder for each controller.
struct CgroupPlace {
    int version = 2;
    std::filesystem::path memory;
    std::filesystem::path pids;
};

/// Finds the place from the texts of /proc/self/cgroup and /proc/self/mounts; nothing where memory and number
/// of processes cannot both be limited. It is not yet known whether we may write there.
std::optional<CgroupPlace> find_cgroups(const std::string& own, const std::string& mounts);

/// Why no cgroup can be made here, with what to do about it; empty where one can. Found out once.
const std::string& cgroup_obstacle();

/// A group for one worker. Call it only where there is no obstacle. Throws model::EnvironmentError.
std::shared_ptr<sys::Cgroup> make_cgroup(std::uint64_t memory_bytes, std::uint64_t tasks);

/// While there is one, groups whose worker has ended are kept for the next worker with the same limits:
/// making and removing one costs as much as the rest of a worker's start. There is at most one at a time.
class KeptCgroups {
  public:
    KeptCgroups();
    ~KeptCgroups();
    KeptCgroups(const KeptCgroups&) = delete;
    KeptCgroups& operator=(const KeptCgroups&) = delete;
};

/// "v2", "v1", or "none".
std::string cgroup_version();

/// Removes the empty groups that nobody holds any more: a process that was killed could not tidy up after
/// itself. One listing of each folder; for as long as `patience` it waits for processes that are still on
/// their way out.
void remove_orphaned_cgroups(std::chrono::milliseconds patience = {});

} // namespace isolation
