#include "system/sandbox_root.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sys {
namespace {

/// Any folder that exists everywhere will do: it is covered for a moment, in this namespace only.
constexpr const char* building_site = "/tmp";

bool make_file(const char* place) {
    const int fd = open(place, O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
    if (fd < 0) return false;
    close(fd);
    return true;
}

/// One call for the whole tree. No device node can be made on what an unprivileged namespace mounts, so
/// nodev, which would close /dev/null, is not needed.
bool make_read_only() {
    mount_attr attributes{};
    attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
    return syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &attributes, sizeof attributes) == 0;
}

} // namespace

SandboxRoot::SandboxRoot(const std::vector<std::filesystem::path>& files, bool proc) : proc_(proc) {
    for (const std::filesystem::path& file : files) {
        files_.push_back(file.string());
        std::filesystem::path folder;
        for (const std::filesystem::path& part : file.parent_path().relative_path()) {
            folder /= part;
            if (std::ranges::find(folders_, folder.string()) == folders_.end())
                folders_.push_back(folder.string());
        }
    }
}

bool SandboxRoot::enter() const {
    if (mount("sandbox", building_site, "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,nr_inodes=64,mode=0755") !=
            0 ||
        chdir(building_site) != 0)
        return false;
    for (const std::string& folder : folders_)
        if (mkdir(folder.c_str(), 0755) != 0) return false;
    for (const std::string& file : files_) {
        const char* place = file.c_str() + 1;
        if (!make_file(place) || mount(file.c_str(), place, nullptr, MS_BIND, nullptr) != 0) return false;
    }
    // While the host's /proc can still be seen: the kernel mounts no /proc that shows more than there is.
    if (proc_ && (mkdir("proc", 0555) != 0 || mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                                                    "subset=pid,hidepid=2") != 0))
        return false;
    // The old root comes to lie on top of the new one, from where it is taken away.
    return syscall(SYS_pivot_root, ".", ".") == 0 && umount2(".", MNT_DETACH) == 0 && chdir("/") == 0 &&
           make_read_only();
}

} // namespace sys
