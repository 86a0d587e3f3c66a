#include "act.h"

#include <array>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <initializer_list>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace canary {
namespace {

long opens(const char* path, int flags) {
    const int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0) close(fd);
    return fd;
}

long read_a_host_file() {
    return opens("/etc/passwd", O_RDONLY);
}

long list_the_root() {
    return opens("/", O_RDONLY | O_DIRECTORY);
}

long list_the_libraries() {
    return opens("/usr/lib", O_RDONLY | O_DIRECTORY);
}

/// Landlock hides what is in files, but not that they are there.
long see_a_host_file() {
    struct stat status {};
    for (const char* path : {"/etc/passwd", "/home", "/usr/bin", "/etc"})
        if (stat(path, &status) == 0) return 0;
    return -1;
}

/// A file with a name, for file systems that know no file without one. What a canary that was killed left
/// under that name goes away with it.
long write_a_named_file(const char* folder) {
    const std::string path = std::string(folder) + "/engine-canary";
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0) return -1;
    close(fd);
    return unlink(path.c_str());
}

/// Without a name, so that nothing is left of it however this process ends.
long write_a_file() {
    for (const char* folder : {"/tmp", "/dev/shm", "/"}) {
        const int fd = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
        if (fd >= 0) return close(fd);
        const bool unknown = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL;
        if (unknown && write_a_named_file(folder) == 0) return 0;
    }
    return -1;
}

long write_to_one_of(std::initializer_list<const char*> paths) {
    for (const char* path : paths)
        if (opens(path, O_WRONLY) >= 0) return 0;
    return -1;
}

long write_to_proc() {
    return write_to_one_of({"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"});
}

long write_to_own_process() {
    return write_to_one_of({"/proc/self/oom_score_adj", "/proc/self/mem", "/proc/self/uid_map"});
}

long write_to_own_thread() {
    return write_to_one_of({"/proc/thread-self/comm", "/proc/thread-self/oom_score_adj"});
}

long open_a_device() {
    for (const char* path : {"/dev/mem", "/dev/kmsg", "/dev/tty", "/dev/vda", "/dev/sda", "/dev/fuse"})
        if (opens(path, O_RDONLY) >= 0) return 0;
    return -1;
}

/// Another process's part of /proc: the first of the machine, or of the namespace.
long read_the_first_process() {
    for (const char* path : {"/proc/1/environ", "/proc/1/maps", "/proc/1/mem"})
        if (opens(path, O_RDONLY) >= 0) return 0;
    return -1;
}

constexpr std::array acts{
    Act{"read_host_file", read_a_host_file},
    Act{"list_root", list_the_root},
    Act{"list_libraries", list_the_libraries},
    Act{"see_host_file", see_a_host_file},
    Act{"write_file", write_a_file},
    Act{"write_proc", write_to_proc},
    Act{"write_own_process", write_to_own_process},
    Act{"write_own_thread", write_to_own_thread},
    Act{"open_device", open_a_device},
    Act{"read_first_process", read_the_first_process},
};

} // namespace

std::span<const Act> file_acts() {
    return acts;
}

} // namespace canary
