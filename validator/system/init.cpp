#include "system/init.h"

#include "model/errors.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sys {
namespace {

/// The user and group inside, whatever they are outside.
constexpr unsigned inner_id = 1000;

/// This process, and so its children, have a network of their own.
bool network_left = false;

bool write_text(const char* file, const char* text, int length) {
    const int fd = open(file, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool written = write(fd, text, static_cast<std::size_t>(length)) == length;
    const int error = errno;
    close(fd);
    errno = error;
    return written;
}

bool write_map(const char* file, unsigned inner, unsigned outer) {
    std::array<char, 64> line{};
    const int length = std::snprintf(line.data(), line.size(), "%u %u 1", inner, outer);
    return write_text(file, line.data(), length);
}

/// An ordinary user may name only itself, and only once it has given up the right to change its groups.
/// The files belong to root while the process cannot be dumped, as the driver's children cannot.
bool map_ourselves(const Identity& inner, const Identity& outer) {
    return prctl(PR_SET_DUMPABLE, 1) == 0 && write_text("/proc/self/setgroups", "deny", 4) &&
           write_map("/proc/self/gid_map", inner.gid, outer.gid) &&
           write_map("/proc/self/uid_map", inner.uid, outer.uid);
}

/// Our parent has written the maps, for a user who is not ours; we still have to become that user.
bool take_mapped_identity() {
    return syscall(SYS_setgroups, 0, nullptr) == 0 &&
           syscall(SYS_setresgid, inner_id, inner_id, inner_id) == 0 &&
           syscall(SYS_setresuid, inner_id, inner_id, inner_id) == 0;
}

void close_all_but(int fd) {
    if (fd > 0) syscall(SYS_close_range, 0, fd - 1, 0);
    syscall(SYS_close_range, fd + 1, ~0U, 0);
}

} // namespace

bool drop_capabilities() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> none{};
    return syscall(SYS_capset, &header, none.data()) == 0;
}

unsigned long sandbox_namespaces() {
    const unsigned long network = network_left ? 0 : CLONE_NEWNET;
    return CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP |
           network;
}

bool leave_network() {
    struct stat threads {};
    constexpr nlink_t links_of_one_thread = 3;
    if (stat("/proc/self/task", &threads) != 0 || threads.st_nlink != links_of_one_thread) return false;
    const Identity ourselves{geteuid(), getegid()};
    const int dumpable = prctl(PR_GET_DUMPABLE);
    if (unshare(CLONE_NEWNET) != 0) {
        // An ordinary user may do so only where it is its own master. It stays who it is, and gives up what
        // mastery brings.
        if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
        if (!map_ourselves(ourselves, ourselves) || !drop_capabilities() ||
            prctl(PR_SET_DUMPABLE, dumpable) != 0)
            throw model::EnvironmentError(std::string("cannot leave the network: mapping the user: ") +
                                          std::strerror(errno));
    }
    network_left = true;
    return true;
}

bool map_identity(int pid, const Identity& outer) {
    const std::string folder = "/proc/" + std::to_string(pid);
    return write_map((folder + "/gid_map").c_str(), inner_id, outer.gid) &&
           write_map((folder + "/uid_map").c_str(), inner_id, outer.uid);
}

void run_init(const ChildPlan& plan) {
    const auto require = [&](bool done, Step step) { report_unless(done, step, plan.trouble_fd); };
    const Confinement& confinement = *plan.command.confinement;

    require(lead_own_session(), Step::session);
    require(wait_for_parent(plan), Step::parent);
    require(enter_group(&confinement), Step::group);
    require(confinement.identity ? take_mapped_identity()
                                 : map_ourselves({inner_id, inner_id}, plan.ourselves),
            Step::identity);
    require(prctl(PR_SET_DUMPABLE, 0) == 0, Step::identity);
    require(die_with_parent(plan), Step::parent); // the change of user would have cleared it
    require(confinement.root->enter(), Step::root);
    require(sethostname("worker", 6) == 0, Step::root);
    require(drop_capabilities(), Step::capabilities);

    // The worker borrows our memory until it executes its program, so nothing has to be copied again.
    const pid_t worker = vfork();
    require(worker >= 0, Step::fork);
    if (worker == 0)
        become({plan.command, plan.argv, plan.envp, plan.trouble_fd, -1, -1, 1, -1, plan.ourselves});

    close_all_but(plan.status_fd);
    int status = 0;
    while (waitpid(worker, &status, 0) != worker) {
    }
    [[maybe_unused]] const ssize_t written = write(plan.status_fd, &status, sizeof status);
    _exit(0);
}

} // namespace sys
