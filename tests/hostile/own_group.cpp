#include "own_group.h"

#include "isolation/cgroups.h"
#include "system/fd.h"

#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace hostile {
namespace {

namespace fs = std::filesystem;

std::string read_text(const char* file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

bool write_text(const fs::path& file, std::string_view text) {
    const sys::Fd fd(open(file.c_str(), O_WRONLY | O_CLOEXEC));
    return fd && write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// Where a process of v2 lives: a group that hands controllers on holds no process itself.
constexpr const char* leaf = "self";

} // namespace

OwnGroup::OwnGroup() {
    const auto place =
        isolation::find_cgroups(read_text("/proc/self/cgroup"), read_text("/proc/self/mounts"));
    if (!place || !enter(place->memory, place->version == 2)) return;
    if (place->version == 1) enter(place->pids, false);
}

OwnGroup::~OwnGroup() {
    for (const fs::path& group : left_)
        write_text(group / "cgroup.procs", "0");
    for (const fs::path& folder : folders_) {
        rmdir((folder / leaf).c_str());
        rmdir(folder.c_str());
    }
}

bool OwnGroup::enter(const fs::path& below, bool v2) {
    const fs::path folder = below / ("hostile-" + std::to_string(getpid()));
    const fs::path home = v2 ? folder / leaf : folder;
    const bool made = mkdir(folder.c_str(), 0700) == 0 &&
                      (!v2 || (write_text(folder / "cgroup.subtree_control", "+memory +pids") &&
                               mkdir(home.c_str(), 0700) == 0));
    if (made && write_text(home / "cgroup.procs", "0")) {
        folders_.push_back(folder);
        left_.push_back(below);
        return true;
    }
    if (v2) rmdir(home.c_str());
    rmdir(folder.c_str());
    return false;
}

} // namespace hostile
