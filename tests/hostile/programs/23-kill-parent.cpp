// Signals the driver and everything else. The signal is 0, so that even a success harms nobody.
#include "honest.h"

#include <csignal>
#include <sys/syscall.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        const pid_t parent = getppid();
        const pid_t target = parent == 0 ? 1 : parent;
        must_fail("kill", kill(target, 0));
        must_fail("kill all", kill(-1, 0));
        must_fail("tgkill", syscall(SYS_tgkill, target, target, 0));
        must_fail("tkill", syscall(SYS_tkill, target, 0));
        siginfo_t info{};
        info.si_code = SI_QUEUE;
        must_fail("sigqueue", syscall(SYS_rt_sigqueueinfo, target, 0, &info));
        must_fail("pidfd_open", syscall(SYS_pidfd_open, target, 0));
    }
    return honest(table, ids, out);
}

} // namespace exercise
