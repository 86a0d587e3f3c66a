#include "isolation/filter.h"

#include "isolation/filter_calls.h"
#include "model/errors.h"
#include "system/confinement.h"
#include "system/pipe.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <memory>
#include <sched.h>
#include <seccomp.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace isolation {
namespace {

// What an argument of a call, counted from 0, has to be; libseccomp's own macros for this are C.
scmp_arg_cmp equals(unsigned argument, scmp_datum_t value) {
    return {argument, SCMP_CMP_EQ, value, 0};
}
scmp_arg_cmp has(unsigned argument, scmp_datum_t bits) {
    return {argument, SCMP_CMP_MASKED_EQ, bits, bits};
}

/// Of clone: processes and threads, and no namespace.
scmp_arg_cmp without_namespaces() {
    constexpr scmp_datum_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                        CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    return {0, SCMP_CMP_MASKED_EQ, namespaces, 0};
}

using Context = std::unique_ptr<void, decltype(&seccomp_release)>;

class Rules {
  public:
    explicit Rules(std::uint32_t otherwise) : context_(seccomp_init(otherwise), &seccomp_release) {
        if (!context_) fail("seccomp_init");
    }

    /// Adds one rule; a call that this architecture does not have is left out.
    void add(std::uint32_t action, const char* call, std::initializer_list<scmp_arg_cmp> when = {}) {
        const int number = seccomp_syscall_resolve_name(call);
        if (number < 0) return;
        if (seccomp_rule_add_array(context_.get(), action, number, static_cast<unsigned>(when.size()),
                                   when.size() == 0 ? nullptr : std::data(when)) != 0)
            fail(call);
    }

    std::vector<sock_filter> program() const {
        const sys::Fd file(memfd_create("filter", MFD_CLOEXEC));
        if (!file || seccomp_export_bpf(context_.get(), file.get()) != 0) fail("seccomp_export_bpf");
        const auto bytes = static_cast<std::size_t>(lseek(file.get(), 0, SEEK_END));
        std::vector<sock_filter> code(bytes / sizeof(sock_filter));
        if (pread(file.get(), code.data(), bytes, 0) != static_cast<ssize_t>(bytes))
            fail("reading the filter");
        return code;
    }

  private:
    [[noreturn]] static void fail(const char* what) {
        throw model::EnvironmentError(std::string("cannot build the seccomp filter: ") + what + " failed (" +
                                      std::strerror(errno) +
                                      "); is libseccomp older than the kernel headers, or a limit too low "
                                      "(ulimit -a)?");
    }

    Context context_;
};

void allow_worker(Rules& rules) {
    for (const char* call : plain_calls)
        rules.add(SCMP_ACT_ALLOW, call);

    // Threads, but no processes; without clone3, whose flags a filter cannot see, the C library falls back to
    // clone.
    rules.add(SCMP_ACT_ALLOW, "clone", {has(0, CLONE_THREAD)});
    rules.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");

    // abort() and raise() signal their own process; no other can be reached.
    rules.add(SCMP_ACT_ALLOW, "kill", {equals(0, sys::own_pid_placeholder)});
    rules.add(SCMP_ACT_ALLOW, "tgkill", {equals(0, sys::own_pid_placeholder)});

    // Limits may be read, by pid 0 only, never set: a parent of the same user would otherwise be crippled.
    rules.add(SCMP_ACT_ALLOW, "prlimit64", {equals(0, 0), equals(2, 0)});

    for (const int command : {F_GETFD, F_SETFD, F_GETFL})
        rules.add(SCMP_ACT_ALLOW, "fcntl", {equals(1, static_cast<scmp_datum_t>(command))});
    rules.add(SCMP_ACT_ALLOW, "prctl", {equals(0, PR_SET_NAME)});
    rules.add(SCMP_ACT_ALLOW, "prctl", {equals(0, PR_GET_NAME)});
    rules.add(SCMP_ACT_ALLOW, "execveat", {equals(0, sys::program_fd_placeholder)});
}

std::vector<sock_filter> make_worker_filter() {
    Rules rules(SCMP_ACT_ERRNO(EPERM));
    allow_worker(rules);
    return rules.program();
}

/// It opens a socket with a name of its own, for processes that share its memory, and does not work where it
/// cannot, nor where what lies in the way may not be removed: there is nothing. Connecting is refused, so it
/// reaches nobody; it goes on without the daemon that it looks for.
void allow_listening(Rules& rules) {
    rules.add(SCMP_ACT_ALLOW, "socket",
              {equals(0, AF_UNIX), {1, SCMP_CMP_MASKED_EQ, ~scmp_datum_t{SOCK_CLOEXEC}, SOCK_SEQPACKET}});
    rules.add(SCMP_ACT_ALLOW, "setsockopt", {equals(1, SOL_SOCKET), equals(2, SO_PASSCRED)});
    for (const char* call : {"bind", "listen"})
        rules.add(SCMP_ACT_ALLOW, call);
    rules.add(SCMP_ACT_ERRNO(ENOENT), "unlink");
}

void allow_gpu(Rules& rules) {
    allow_worker(rules);
    for (const char* call : driver_calls)
        rules.add(SCMP_ACT_ALLOW, call);
}

std::vector<sock_filter> make_gpu_filter() {
    Rules rules(SCMP_ACT_ERRNO(EPERM));
    allow_gpu(rules);
    allow_listening(rules);
    return rules.program();
}

std::vector<sock_filter> make_launcher_filter() {
    Rules rules(SCMP_ACT_ERRNO(EPERM));
    allow_gpu(rules);
    for (const char* call : launcher_calls)
        rules.add(SCMP_ACT_ALLOW, call);
    rules.add(SCMP_ACT_ALLOW, "clone", {without_namespaces()});
    for (const char* call : {"socket", "socketpair"})
        rules.add(SCMP_ACT_ALLOW, call, {equals(0, AF_UNIX)});
    for (const int option : {PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_GET_DUMPABLE})
        rules.add(SCMP_ACT_ALLOW, "prctl", {equals(0, static_cast<scmp_datum_t>(option))});
    return rules.program();
}

void allow_compiler(Rules& rules) {
    for (const char* call : plain_calls)
        rules.add(SCMP_ACT_ALLOW, call);
    for (const char* call : compiler_calls)
        rules.add(SCMP_ACT_ALLOW, call);

    rules.add(SCMP_ACT_ALLOW, "clone", {without_namespaces()}); // clone3's flags cannot be seen
    rules.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");

    // abort() in one of several programs, whose numbers are not known; Landlock keeps signals among them.
    rules.add(SCMP_ACT_ALLOW, "kill");
    rules.add(SCMP_ACT_ALLOW, "tgkill");

    // A compiler's driver raises its own stack limit; nobody else's limits are its business.
    rules.add(SCMP_ACT_ALLOW, "prlimit64", {equals(0, 0)});
    rules.add(SCMP_ACT_ALLOW, "setrlimit", {equals(0, RLIMIT_STACK)});

    rules.add(SCMP_ACT_ALLOW, "fcntl");
    for (const unsigned long request : {TCGETS, TIOCGWINSZ, FIONREAD})
        rules.add(SCMP_ACT_ALLOW, "ioctl", {equals(1, request)});
    for (const int option : {PR_SET_NAME, PR_GET_NAME, PR_SET_PDEATHSIG, PR_GET_DUMPABLE})
        rules.add(SCMP_ACT_ALLOW, "prctl", {equals(0, static_cast<scmp_datum_t>(option))});
}

std::vector<sock_filter> make_compiler_filter() {
    Rules rules(SCMP_ACT_ERRNO(EPERM));
    allow_compiler(rules);
    return rules.program();
}

std::vector<sock_filter> make_debugger_filter() {
    Rules rules(SCMP_ACT_ERRNO(EPERM));
    allow_compiler(rules);
    for (const char* call : {"ptrace", "personality", "tkill", "eventfd2", "epoll_create1", "epoll_ctl",
                             "epoll_wait", "epoll_pwait", "signalfd4", "setsid", "process_vm_readv"})
        rules.add(SCMP_ACT_ALLOW, call);
    for (const unsigned long request :
         {TCSETS, TCSETSW, TCSETSF, TCFLSH, TIOCGPGRP, TIOCSPGRP, TIOCGSID, FIONBIO})
        rules.add(SCMP_ACT_ALLOW, "ioctl", {equals(1, request)});
    return rules.program();
}

} // namespace

const std::vector<sock_filter>& worker_filter() {
    static const std::vector<sock_filter> filter = make_worker_filter();
    return filter;
}

const std::vector<sock_filter>& gpu_filter() {
    static const std::vector<sock_filter> filter = make_gpu_filter();
    return filter;
}

const std::vector<sock_filter>& launcher_filter() {
    static const std::vector<sock_filter> filter = make_launcher_filter();
    return filter;
}

const std::vector<sock_filter>& compiler_filter() {
    static const std::vector<sock_filter> filter = make_compiler_filter();
    return filter;
}

const std::vector<sock_filter>& debugger_filter() {
    static const std::vector<sock_filter> filter = make_debugger_filter();
    return filter;
}

} // namespace isolation
