#include "system/child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sys {
namespace {

constexpr int high_fd =
    64; // descriptors are first moved up here, so that no target is overwritten before it was copied

bool lead_own_session() {
    if (setsid() < 0) return false;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD})
        signal(number, SIG_DFL);
    return true;
}

/// After the change of user, which would clear it. A parent that died before this line is noticed by its
/// number.
bool die_with_parent(const ChildPlan& plan) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == plan.parent;
}

bool arrange_descriptors(const ChildPlan& plan, int& program_fd, int& trouble_fd) {
    const auto raise = [](int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, high_fd); };
    std::array<int, 16> raised{};
    const auto& mappings = plan.command.fds;
    if (mappings.size() > raised.size()) {
        errno = E2BIG;
        return false;
    }
    for (std::size_t i = 0; i < mappings.size(); ++i)
        if ((raised[i] = raise(mappings[i].from)) < 0) return false;
    if ((trouble_fd = raise(trouble_fd)) < 0) return false;
    if (program_fd >= 0 && (program_fd = raise(program_fd)) < 0) return false;

    int last = 2;
    for (int target = 0; target <= 2; ++target) {
        const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (null < 0 || (null != target && dup3(null, target, 0) < 0)) return false;
        if (null == target)
            fcntl(null, F_SETFD, 0);
        else
            close(null);
    }
    for (std::size_t i = 0; i < mappings.size(); ++i) {
        if (dup3(raised[i], mappings[i].to, 0) < 0) return false;
        last = std::max(last, mappings[i].to);
    }
    // Everything else, the raised copies included, goes away at exec: none may be open in the program.
    syscall(SYS_close_range, last + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    return true;
}

bool limit_resources(const Confinement& confinement) {
    return std::ranges::all_of(confinement.limits, [](const ResourceLimit& limit) {
        const rlimit value{limit.value, limit.value};
        return syscall(SYS_prlimit64, 0, limit.resource, &value, nullptr) == 0;
    });
}

/// Raw calls: the C library's wrappers would try to reach the other threads of the process we were forked
/// from.
bool drop_identity(const Identity& identity) {
    return syscall(SYS_setgroups, 0, nullptr) == 0 &&
           syscall(SYS_setresgid, identity.gid, identity.gid, identity.gid) == 0 &&
           syscall(SYS_setresuid, identity.uid, identity.uid, identity.uid) == 0;
}

/// A directory below /proc can only be named by the process it belongs to, so this one rule is added late.
bool allow_own_proc(const Confinement& confinement) {
    landlock_path_beneath_attr rule{};
    rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    rule.parent_fd = open("/proc/self", O_PATH | O_CLOEXEC);
    return rule.parent_fd >= 0 && syscall(SYS_landlock_add_rule, confinement.landlock.get(),
                                          LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

bool install_filter(const Confinement& confinement, int program_fd) {
    auto* code = const_cast<sock_filter*>(confinement.filter.data()); // ours alone since the fork
    for (std::size_t i = 0; i < confinement.filter.size(); ++i) {
        if (code[i].k == own_pid_placeholder) code[i].k = static_cast<std::uint32_t>(getpid());
        if (code[i].k == program_fd_placeholder) code[i].k = static_cast<std::uint32_t>(program_fd);
    }
    const sock_fprog program{static_cast<unsigned short>(confinement.filter.size()), code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

} // namespace

const char* name(Step step) {
    constexpr std::array<const char*, 10> names{"new session",        "descriptors",
                                                "working directory",  "resource limits",
                                                "unprivileged user",  "watching the parent",
                                                "no_new_privileges",  "Landlock ruleset",
                                                "system call filter", "execute"};
    return names.at(static_cast<std::size_t>(step));
}

void become(const ChildPlan& plan) {
    int trouble_fd = plan.trouble_fd;
    int program_fd = plan.command.program_fd;
    const auto require = [&](bool done, Step step) {
        if (done) return;
        const Trouble trouble{step, errno};
        [[maybe_unused]] const ssize_t written = write(trouble_fd, &trouble, sizeof trouble);
        _exit(127);
    };
    const Confinement* confinement = plan.command.confinement.get();

    require(lead_own_session(), Step::session);
    require(arrange_descriptors(plan, program_fd, trouble_fd), Step::descriptors);
    if (!plan.command.directory.empty()) require(chdir(plan.command.directory.c_str()) == 0, Step::directory);
    if (confinement != nullptr) {
        require(limit_resources(*confinement), Step::limits);
        if (confinement->identity) require(drop_identity(*confinement->identity), Step::identity);
    }
    require(die_with_parent(plan), Step::parent);
    if (confinement != nullptr) {
        require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, Step::no_new_privileges);
        if (confinement->own_proc) require(allow_own_proc(*confinement), Step::landlock);
        if (confinement->landlock)
            require(syscall(SYS_landlock_restrict_self, confinement->landlock.get(), 0) == 0, Step::landlock);
        if (!confinement->filter.empty()) require(install_filter(*confinement, program_fd), Step::filter);
    }
    if (program_fd >= 0)
        syscall(SYS_execveat, program_fd, "", plan.argv, plan.envp, AT_EMPTY_PATH);
    else
        execve(plan.argv[0], plan.argv, plan.envp);
    require(false, Step::execute);
    _exit(127);
}

} // namespace sys
