// The canary: run in a worker's place under a worker's confinement, it tries what a worker must not be able
// to do, and prints what became of each attempt: "connect EPERM" where it was refused, "connect done" where
// it was not. Acts that were not refused are undone; none of them harms the machine.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// Each act returns a negative number, with errno set, when it was refused.
long read_a_host_file() {
    const int fd = open("/etc/passwd", O_RDONLY);
    if (fd >= 0) close(fd);
    return fd;
}

long list_the_host() {
    const int fd = open("/", O_RDONLY | O_DIRECTORY);
    if (fd < 0) return fd;
    // A root of our own with nothing of the host in it is as good as none.
    const long host = access("/home", F_OK);
    close(fd);
    return host;
}

long write_a_file() {
    const int fd = open("/tmp/engine-canary", O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0) return fd;
    close(fd);
    return unlink("/tmp/engine-canary");
}

long make_a_socket() {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd >= 0) close(fd);
    return fd;
}

long make_a_unix_socket() {
    const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (fd >= 0) close(fd);
    return fd;
}

long make_a_process() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, nullptr, 0);
    return child;
}

long run_another_program() {
    char name[] = "/usr/bin/true";
    char* const arguments[] = {name, nullptr};
    char* const environment[] = {nullptr};
    return execve(name, arguments, environment); // returns only when refused
}

long trace_the_parent() {
    const long result = ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
    if (result == 0) ptrace(PTRACE_DETACH, getppid(), nullptr, nullptr);
    return result;
}

long signal_the_parent() {
    const pid_t parent = getppid();
    if (parent == 0) {
        errno = ESRCH; // another process namespace: there is no parent to name
        return -1;
    }
    return kill(parent, 0);
}

long limit_the_parent() {
    return syscall(SYS_prlimit64, getppid() == 0 ? 1 : getppid(), RLIMIT_NOFILE, nullptr, nullptr);
}

long make_a_namespace() {
    return unshare(CLONE_NEWUSER);
}

long make_shared_memory() {
    const long fd = syscall(SYS_memfd_create, "canary", 0);
    if (fd >= 0) close(static_cast<int>(fd));
    return fd;
}

long use_io_uring() {
    std::array<char, 256> parameters{};
    const long fd = syscall(SYS_io_uring_setup, 1, parameters.data());
    if (fd >= 0) close(static_cast<int>(fd));
    return fd;
}

long take_a_gigabyte_too_many() {
    void* memory =
        mmap(nullptr, 1ULL << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return -1;
    munmap(memory, 1ULL << 40);
    return 0;
}

struct Act {
    const char* name;
    long (*attempt)();
};

constexpr std::array acts{
    Act{"read_host_file", read_a_host_file},
    Act{"see_host_folders", list_the_host},
    Act{"write_file", write_a_file},
    Act{"socket", make_a_socket},
    Act{"unix_socket", make_a_unix_socket},
    Act{"fork", make_a_process},
    Act{"ptrace_parent", trace_the_parent},
    Act{"signal_parent", signal_the_parent},
    Act{"prlimit_parent", limit_the_parent},
    Act{"unshare", make_a_namespace},
    Act{"memfd", make_shared_memory},
    Act{"io_uring", use_io_uring},
    Act{"address_space", take_a_gigabyte_too_many},
    Act{"exec", run_another_program},
};

} // namespace

int main() {
    for (const Act& act : acts) {
        errno = 0;
        const long result = act.attempt();
        const char* answer = result < 0 ? strerrorname_np(errno) : "done";
        std::printf("%s %s\n", act.name, answer == nullptr ? "refused" : answer);
        std::fflush(stdout);
    }
    return getuid() == 0 ? 1 : 0;
}
