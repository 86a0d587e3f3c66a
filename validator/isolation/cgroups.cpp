#include "isolation/cgroups.h"

#include "model/errors.h"
#include "system/temporary.h"

#include <cerrno>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace isolation {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "engine-group-";

std::string read_text(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

bool has_word(const std::string& text, std::string_view word, char separator) {
    std::istringstream words(text);
    for (std::string one; std::getline(words, one, separator);)
        if (one.substr(0, one.find('\n')) == word) return true;
    return false;
}

/// The group of this process in one hierarchy: "4:memory:/a/b" names it for v1's memory, "0::/a/b" for v2.
std::string own_group(const std::string& own, std::string_view controller) {
    std::istringstream lines(own);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool wanted = controller.empty() ? controllers.empty() : has_word(controllers, controller, ',');
        if (wanted) return line.substr(second + 2);
    }
    return {};
}

/// Where a hierarchy is mounted: v1 by its controller among the options, v2 by its type.
fs::path mount_point(const std::string& mounts, std::string_view controller) {
    std::istringstream lines(mounts);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string device;
        std::string place;
        std::string type;
        std::string options;
        fields >> device >> place >> type >> options;
        if (controller.empty() ? type == "cgroup2" : type == "cgroup" && has_word(options, controller, ','))
            return place;
    }
    return {};
}

/// A container often sees its own group as the root of the mount, under a path that names the host's.
fs::path group_folder(const fs::path& mount, const std::string& group) {
    const fs::path folder = mount / group;
    return fs::is_directory(folder) ? folder : mount;
}

bool enables(const fs::path& folder, std::string_view controller) {
    return has_word(read_text(folder / "cgroup.subtree_control"), controller, ' ');
}

/// v2 gives controllers only to groups whose parent holds no processes, so not below our own: the nearest one
/// above that hands both on is where siblings of ours are made.
std::optional<CgroupPlace> find_v2(const std::string& own, const std::string& mounts) {
    const fs::path mount = mount_point(mounts, "");
    if (mount.empty()) return std::nullopt;
    fs::path folder = group_folder(mount, own_group(own, ""));
    for (;; folder = folder.parent_path()) {
        if (enables(folder, "memory") && enables(folder, "pids")) return CgroupPlace{2, folder, folder};
        if (folder == mount || folder == folder.parent_path()) return std::nullopt;
    }
}

std::optional<CgroupPlace> find_v1(const std::string& own, const std::string& mounts) {
    const fs::path memory = mount_point(mounts, "memory");
    const fs::path pids = mount_point(mounts, "pids");
    if (memory.empty() || pids.empty()) return std::nullopt;
    return CgroupPlace{1, group_folder(memory, own_group(own, "memory")),
                       group_folder(pids, own_group(own, "pids"))};
}

const std::optional<CgroupPlace>& place() {
    static const std::optional<CgroupPlace> found =
        find_cgroups(read_text("/proc/self/cgroup"), read_text("/proc/self/mounts"));
    return found;
}

struct GroupLimits {
    std::uint64_t memory_bytes;
    std::uint64_t tasks;
    bool operator<(const GroupLimits& other) const {
        return std::tie(memory_bytes, tasks) < std::tie(other.memory_bytes, other.tasks);
    }
};

using KeptGroups = std::multimap<GroupLimits, std::unique_ptr<sys::Cgroup>>;
std::mutex kept_mutex; // workers may be started and ended by several threads
std::unique_ptr<KeptGroups> kept_groups;

std::unique_ptr<sys::Cgroup> new_cgroup(const GroupLimits& limits) {
    // The number is for whoever looks at the folder: it means nothing in another process namespace.
    const std::string name = sys::random_name(std::string(prefix) + std::to_string(getpid()) + "-");
    const std::string memory = std::to_string(limits.memory_bytes);
    const std::string pids = std::to_string(limits.tasks);
    if (place()->version == 2)
        return std::make_unique<sys::Cgroup>(
            std::vector<sys::CgroupFolder>{
                {place()->memory / name,
                 {{"memory.max", memory}, {"memory.swap.max", "0", true}, {"pids.max", pids}}}},
            sys::CgroupCounts{"memory.events", "memory.events", "max"});
    return std::make_unique<sys::Cgroup>(
        std::vector<sys::CgroupFolder>{
            {place()->memory / name,
             {{"memory.limit_in_bytes", memory}, {"memory.memsw.limit_in_bytes", memory, true}}},
            {place()->pids / name, {{"pids.max", pids}}}},
        // Not the failure counts: where memory and memory with swap have one limit, they stay at 0.
        sys::CgroupCounts{"memory.oom_control", "memory.max_usage_in_bytes", "",
                          static_cast<long long>(limits.memory_bytes)},
        "tasks");
}

/// The group comes back, if it is wanted and any good, when its last user lets go of it.
std::shared_ptr<sys::Cgroup> on_loan(std::unique_ptr<sys::Cgroup> group, const GroupLimits& limits) {
    return {group.release(), [limits](sys::Cgroup* used) {
                std::unique_ptr<sys::Cgroup> back(used);
                if (!back->as_good_as_new()) return;
                const std::lock_guard lock(kept_mutex);
                if (kept_groups != nullptr) kept_groups->emplace(limits, std::move(back));
            }};
}

/// A kept one, or nothing.
std::unique_ptr<sys::Cgroup> take_kept(const GroupLimits& limits) {
    const std::lock_guard lock(kept_mutex);
    if (kept_groups == nullptr) return nullptr;
    const auto idle = kept_groups->find(limits);
    return idle == kept_groups->end() ? nullptr : std::move(kept_groups->extract(idle).mapped());
}

void remove_orphans_in(const fs::path& folder, std::chrono::steady_clock::time_point deadline) {
    const auto is_group = [](std::string_view name) { return name.starts_with(prefix); };
    sys::sweep(folder, is_group, [&](const fs::path& orphan) {
        while (rmdir(orphan.c_str()) != 0 && errno == EBUSY && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
}

} // namespace

std::optional<CgroupPlace> find_cgroups(const std::string& own, const std::string& mounts) {
    if (auto found = find_v2(own, mounts)) return found;
    return find_v1(own, mounts);
}

const std::string& cgroup_obstacle() {
    static const std::string obstacle = []() -> std::string {
        if (!place())
            return "no memory and pids controllers in /sys/fs/cgroup; run as a service with Delegate=yes, or "
                   "on "
                   "a machine booted with cgroup v2";
        try {
            make_cgroup(64ULL << 20, 8);
            return {};
        } catch (const model::EnvironmentError& error) {
            return std::string(error.what()) +
                   "; run as root, or through systemd-run --user --scope -p Delegate=yes";
        }
    }();
    return obstacle;
}

std::shared_ptr<sys::Cgroup> make_cgroup(std::uint64_t memory_bytes, std::uint64_t tasks) {
    const GroupLimits limits{memory_bytes, tasks};
    std::unique_ptr<sys::Cgroup> kept = take_kept(limits);
    return on_loan(kept != nullptr ? std::move(kept) : new_cgroup(limits), limits);
}

KeptCgroups::KeptCgroups() {
    const std::lock_guard lock(kept_mutex);
    kept_groups = std::make_unique<KeptGroups>();
}

KeptCgroups::~KeptCgroups() {
    const std::lock_guard lock(kept_mutex);
    kept_groups.reset();
}

std::string cgroup_version() {
    if (!cgroup_obstacle().empty()) return "none";
    return place()->version == 2 ? "v2" : "v1";
}

void remove_orphaned_cgroups(std::chrono::milliseconds patience) {
    if (!place()) return;
    const auto deadline = std::chrono::steady_clock::now() + patience;
    remove_orphans_in(place()->memory, deadline);
    if (place()->version == 1) remove_orphans_in(place()->pids, deadline);
}

} // namespace isolation
