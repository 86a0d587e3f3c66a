#include "system/child.h"

#include "system/init.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Theory of operation
//
// A confined process is made in steps, each of which takes something away. Their order is not free:
//
//  1. Namespaces, as part of the clone: other processes, the network, shared memory, the host's name and its
//     mounts are out of sight from the first instruction on. (system/init.cpp)
//  2. As root the parent names the unprivileged user the child becomes; where a process cannot move itself
//     into a cgroup, it does that as well. The child waits here, and then enters its group.
//  3. The user, before the mounts: what the child then makes belongs to that user. The signal that ends the
//     child with its parent comes after, because a change of user clears it.
//  4. A root of its own with a handful of files, before Landlock, which forbids mounting.
//  5. No capabilities from here on, and a second process: the worker.
//  6. Descriptors and the ruleset's last rule before limits: until it executes, the child has all of its
//     parent's descriptors, perhaps more than it may open.
//  7. No new privileges: without it an ordinary user may install neither a ruleset nor a filter.
//  8. Landlock before the filter, which does not let its calls through.
//  9. The filter last. It lets one more exec through, of one descriptor, which that exec closes.
//
// Whatever the machine does not offer is left out by `isolation`, never silently by this file: a step that
// fails ends the child, and its parent hears which step it was.
namespace sys {
namespace {

/// Descriptors are first moved up here, so that no target takes the number of one that is still needed.
constexpr int high_fd = 64;

/// What the child itself needs until it executes its program; -1 for what there is none of.
struct OwnDescriptors {
    int trouble = -1;
    int program = -1;
    int landlock = -1;
};

bool arrange_descriptors(const ChildPlan& plan, OwnDescriptors& own) {
    const auto raise = [](int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, high_fd); };
    std::array<int, 16> raised{};
    const auto& mappings = plan.command.fds;
    if (mappings.size() > raised.size()) {
        errno = E2BIG;
        return false;
    }
    for (std::size_t i = 0; i < mappings.size(); ++i)
        if ((raised[i] = raise(mappings[i].from)) < 0) return false;
    for (int* fd : {&own.trouble, &own.program, &own.landlock})
        if (*fd >= 0 && (*fd = raise(*fd)) < 0) return false;

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
        const rlimit value{limit.value, limit.value + limit.grace};
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

bool allow(int landlock_fd, const OwnPlace& place) {
    landlock_path_beneath_attr rule{};
    rule.allowed_access = place.access;
    rule.parent_fd = open(place.path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0) return place.may_be_missing;
    return syscall(SYS_landlock_add_rule, landlock_fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
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
    constexpr std::array<const char*, 15> names{
        "new session",     "watching the parent", "cgroup",           "unprivileged user", "root of its own",
        "capabilities",    "second process",      "descriptors",      "working directory", "niceness",
        "resource limits", "no_new_privileges",   "Landlock ruleset", "seccomp filter",    "execute"};
    return names.at(static_cast<std::size_t>(step));
}

void report_unless(bool done, Step step, int trouble_fd) {
    if (done) return;
    const Trouble trouble{step, errno};
    [[maybe_unused]] const ssize_t written = write(trouble_fd, &trouble, sizeof trouble);
    _exit(127);
}

bool lead_own_session() {
    if (setsid() < 0) return false;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGXFSZ})
        signal(number, SIG_DFL);
    return true;
}

bool wait_for_parent(const ChildPlan& plan) {
    char go = 0;
    ssize_t got = 0;
    while (plan.go_fd >= 0 && (got = read(plan.go_fd, &go, 1)) < 0 && errno == EINTR) {
    }
    return plan.go_fd < 0 || got == 1;
}

/// A parent that died before this line is noticed by its number or, in another process namespace, by its
/// pidfd. Not by its end of a pipe: a sibling that is being made at the same time holds that, too.
bool die_with_parent(const ChildPlan& plan) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
    if (plan.parent != 0) return getppid() == plan.parent;
    pollfd ended{plan.parent_fd, POLLIN, 0};
    return poll(&ended, 1, 0) == 0;
}

bool enter_group(const Confinement* confinement) {
    return confinement == nullptr || confinement->cgroup == nullptr || confinement->cgroup->enter();
}

void become(const ChildPlan& plan) {
    const Confinement* confinement = plan.command.confinement.get();
    OwnDescriptors own{plan.trouble_fd, plan.command.program_fd};
    if (confinement != nullptr) own.landlock = confinement->landlock.get();
    const auto require = [&](bool done, Step step) { report_unless(done, step, own.trouble); };
    // Then it has entered its group and changed its user already.
    const bool in_namespaces = confinement != nullptr && confinement->root;

    require(lead_own_session(), Step::session);
    require(wait_for_parent(plan), Step::parent);
    if (!in_namespaces) require(enter_group(confinement), Step::group);
    require(arrange_descriptors(plan, own), Step::descriptors);
    if (plan.command.on_terminal) require(ioctl(0, TIOCSCTTY, 0) == 0, Step::session);
    if (!plan.command.directory.empty()) require(chdir(plan.command.directory.c_str()) == 0, Step::directory);
    if (plan.command.niceness > 0)
        require(setpriority(PRIO_PROCESS, 0, plan.command.niceness) == 0, Step::niceness);
    if (confinement != nullptr) {
        // Some containers refuse this; then most programs still find the addresses they need.
        if (confinement->fixed_addresses) personality(ADDR_NO_RANDOMIZE);
        for (const OwnPlace& place : confinement->own_places)
            require(allow(own.landlock, place), Step::landlock);
        require(limit_resources(*confinement), Step::limits);
        if (confinement->identity && !in_namespaces)
            require(drop_identity(*confinement->identity), Step::identity);
        if (confinement->no_capabilities) require(drop_capabilities(), Step::capabilities);
    }
    require(die_with_parent(plan), Step::parent);
    if (confinement != nullptr) {
        require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, Step::no_new_privileges);
        if (own.landlock >= 0)
            require(syscall(SYS_landlock_restrict_self, own.landlock, 0) == 0, Step::landlock);
        if (!confinement->filter.empty()) require(install_filter(*confinement, own.program), Step::filter);
    }
    if (plan.command.rehearsal) _exit(0);
    if (own.program >= 0)
        syscall(SYS_execveat, own.program, "", plan.argv, plan.envp, AT_EMPTY_PATH);
    else
        execve(plan.argv[0], plan.argv, plan.envp);
    require(false, Step::execute);
    _exit(127);
}

} // namespace sys
