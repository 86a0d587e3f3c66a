#include "act.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <dirent.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace canary {
namespace {

long make_a_process() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, nullptr, 0);
    return child;
}

long run_another_program() {
    for (const char* program : {"/usr/bin/true", "/bin/sh"}) {
        char* const arguments[] = {const_cast<char*>(program), nullptr};
        char* const environment[] = {nullptr};
        execve(program, arguments, environment); // returns only when refused
    }
    return -1;
}

long trace_the_parent() {
    const long result = ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
    if (result == 0) ptrace(PTRACE_DETACH, getppid(), nullptr, nullptr);
    return result;
}

long read_the_parent() {
    char byte = 0;
    iovec here{&byte, 1};
    iovec there{reinterpret_cast<void*>(0x400000), 1};
    const long got = process_vm_readv(getppid(), &here, 1, &there, 1, 0);
    return got < 0 && errno == EFAULT ? 0 : got; // allowed, if only the address had been right
}

/// 0 where there is no parent to name.
long signal_the_parent() {
    if (getppid() != 0) return kill(getppid(), 0);
    errno = ESRCH;
    return -1;
}

long signal_all() {
    return kill(-1, 0);
}

long limit_the_parent() {
    return syscall(SYS_prlimit64, getppid() == 0 ? 1 : getppid(), RLIMIT_NOFILE, nullptr, nullptr);
}

long schedule_the_parent() {
    const sched_param parameters{};
    return sched_setscheduler(getppid(), SCHED_OTHER, &parameters);
}

/// Whether any process but our own, and the one that started us in our namespace, can be named.
long see_processes() {
    DIR* folder = opendir("/proc");
    if (folder == nullptr) return -1;
    long others = 0;
    const pid_t self = getpid();
    while (const dirent* entry = readdir(folder)) {
        int pid = 0;
        for (const char* digit = entry->d_name; *digit >= '0' && *digit <= '9'; ++digit)
            pid = pid * 10 + (*digit - '0');
        if (pid > 1 && pid != self) ++others;
    }
    closedir(folder);
    errno = ESRCH;
    return others == 0 ? -1 : 0;
}

constexpr std::array acts{
    Act{"fork", make_a_process},
    Act{"ptrace_parent", trace_the_parent},
    Act{"read_parent", read_the_parent},
    Act{"signal_parent", signal_the_parent},
    Act{"signal_all", signal_all},
    Act{"prlimit_parent", limit_the_parent},
    Act{"schedule_parent", schedule_the_parent},
    Act{"see_processes", see_processes},
    Act{"exec", run_another_program}, // last: there is no way back from it
};

} // namespace

std::span<const Act> process_acts() {
    return acts;
}

} // namespace canary
