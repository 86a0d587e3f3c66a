#include "system/sandbox_root.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sys {
namespace {

/// Folders that exist everywhere: one of them is covered for a moment, in this namespace only, so nothing
/// that is wanted may lie in it.
constexpr std::array building_sites{"/tmp", "/sys", "/mnt", "/srv", "/opt"};

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
    return std::ranges::mismatch(folder, path).in1 == folder.end();
}

bool is_folder(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

/// What exists already is as good: it came with the folder that it lies in.
bool make_folder(const char* place) {
    return mkdir(place, 0755) == 0 || errno == EEXIST;
}

bool bind(const char* from, const char* place) {
    return mount(from, place, nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

bool make_file(const char* place) {
    const int fd = open(place, O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
    if (fd < 0) return false;
    close(fd);
    return true;
}

/// Only system calls: the file at `place` becomes what `from` holds.
bool copy_program(int from, const char* place) {
    const int to = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0555);
    if (to < 0) return false;
    off_t done = 0;
    ssize_t sent = 0;
    do
        sent = sendfile(to, from, &done, 1 << 30);
    while (sent > 0);
    close(to);
    return sent == 0;
}

/// Of the root's own file system, which holds folders, and the copy of a program.
std::string mount_options(int program_fd) {
    struct stat program {};
    const bool copied = program_fd >= 0 && fstat(program_fd, &program) == 0;
    const auto kib = 64 + (copied ? (program.st_size >> 10) + 8 : 0);
    return "size=" + std::to_string(kib) + "k,nr_inodes=256,mode=0755";
}

/// One call for the whole tree. No device node can be made on what an unprivileged namespace mounts, so
/// nodev, which would close /dev/null, is not needed.
bool make_read_only() {
    mount_attr attributes{};
    attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
    return syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &attributes, sizeof attributes) == 0;
}

bool make_writable(const char* path) {
    mount_attr attributes{};
    attributes.attr_clr = MOUNT_ATTR_RDONLY;
    return syscall(SYS_mount_setattr, AT_FDCWD, path, 0, &attributes, sizeof attributes) == 0;
}

} // namespace

SandboxRoot::SandboxRoot(const SandboxContents& contents)
    : proc_(contents.proc), temporary_(contents.temporary), program_fd_(contents.program_fd),
      size_(mount_options(contents.program_fd)) {
    std::vector<std::filesystem::path> readable = contents.readable;
    std::ranges::sort(readable); // a folder comes before what lies in it, which comes with it
    for (const std::filesystem::path& path : readable)
        if (places_.empty() || !places_.back().is_folder || !is_below(path, places_.back().path)) add(path);
    for (const std::filesystem::path& path : contents.writable) {
        add(path);
        writable_.push_back(path.string());
    }
    if (temporary_) writable_.emplace_back("/tmp");
    if (proc_ == Proc::whole) writable_.emplace_back("/proc");
    for (const std::filesystem::path& link : contents.links) {
        add_folders_above(link);
        links_.push_back({link.string(), std::filesystem::read_symlink(link).string()});
    }
    const auto is_free = [&](const char* site) {
        return is_folder(site) &&
               std::ranges::none_of(places_, [&](const Place& place) { return is_below(place.path, site); });
    };
    const auto* const site = std::ranges::find_if(building_sites, is_free);
    site_ = site == building_sites.end() ? building_sites.front() : *site;
}

void SandboxRoot::add_folders_above(const std::filesystem::path& path) {
    std::filesystem::path folder;
    for (const std::filesystem::path& part : path.parent_path().relative_path()) {
        folder /= part;
        if (std::ranges::find(folders_, folder.string()) == folders_.end())
            folders_.push_back(folder.string());
    }
}

void SandboxRoot::add(const std::filesystem::path& path) {
    add_folders_above(path);
    places_.push_back({path.string(), is_folder(path)});
}

bool SandboxRoot::enter() const {
    if (mount("sandbox", site_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, size_.c_str()) != 0 ||
        chdir(site_.c_str()) != 0)
        return false;
    // Before what else lies below it, which this would cover.
    if (temporary_ &&
        (mkdir("tmp", 0700) != 0 || mount("tmp", "tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                                          "size=16m,nr_inodes=1024,mode=0700") != 0))
        return false;
    for (const std::string& folder : folders_)
        if (!make_folder(folder.c_str())) return false;
    for (const Place& source : places_) {
        const char* place = source.path.c_str() + 1;
        if (!(source.is_folder ? make_folder(place) : make_file(place)) || !bind(source.path.c_str(), place))
            return false;
    }
    if (program_fd_ >= 0 && !copy_program(program_fd_, program_in_sandbox + 1)) return false;
    for (const Link& link : links_)
        // What was asked for by a name that leads through a link is there already, in a folder of that name.
        if (symlink(link.target.c_str(), link.path.c_str() + 1) != 0 && errno != EEXIST) return false;
    // While the host's /proc can still be seen: the kernel mounts no /proc that shows more than there is.
    if (proc_ != Proc::none &&
        (mkdir("proc", 0555) != 0 || mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                                           proc_ == Proc::whole ? "hidepid=2" : "subset=pid,hidepid=2") != 0))
        return false;
    // The old root comes to lie on top of the new one, from where it is taken away.
    return syscall(SYS_pivot_root, ".", ".") == 0 && umount2(".", MNT_DETACH) == 0 && chdir("/") == 0 &&
           make_read_only() && std::ranges::all_of(writable_, [](const std::string& folder) {
               return make_writable(folder.c_str());
           });
}

} // namespace sys
