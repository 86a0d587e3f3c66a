// compiler_probe: tries what no compiler needs, and says what came of it, one "act: error number" a line.
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

void tell(const char* act, long result) {
    std::printf("%s: %d\n", act, result < 0 ? errno : 0);
}

unsigned capabilities() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2]{};
    syscall(SYS_capget, &header, data);
    return data[0].effective | data[0].permitted | data[1].effective | data[1].permitted;
}

} // namespace

int main() {
    errno = 0;
    const unsigned held = capabilities();
    std::printf("capabilities: %s\n", errno != 0 ? "unknown" : held != 0 ? "some" : "none");
    tell("socket", socket(AF_INET, SOCK_STREAM, 0));
    tell("unshare", unshare(CLONE_NEWUTS));
    tell("memfd", memfd_create("x", 0));
    tell("ptrace", ptrace(PTRACE_ATTACH, 0x7fffffff, nullptr, nullptr));
    tell("personality", syscall(SYS_personality, 0));
    tell("keyctl", syscall(SYS_keyctl, 0, -3, 0));
    tell("io_uring", syscall(SYS_io_uring_setup, 1, nullptr));
    tell("chroot", chroot("/"));
    tell("sethostname", syscall(SYS_sethostname, "x", 0));
    tell("a_call_of_tomorrow", syscall(9999));
    timespec now{};
    tell("set_clock", clock_gettime(CLOCK_REALTIME, &now) + clock_settime(CLOCK_MONOTONIC, &now));
    const pid_t child = fork();
    if (child == 0) _exit(0);
    tell("fork", child);
    waitpid(child, nullptr, 0);
}
