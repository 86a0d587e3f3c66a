// Lowers the driver's limits and its place in the queue. Sets what is set already.
#include "honest.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        const pid_t parent = getppid() == 0 ? 1 : getppid();
        rlimit limit{};
        if (prlimit(parent, RLIMIT_NOFILE, nullptr, &limit) == 0)
            must_fail("prlimit", prlimit(parent, RLIMIT_NOFILE, &limit, nullptr));
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        CPU_SET(0, &cpus);
        CPU_SET(1, &cpus);
        must_fail("affinity", sched_setaffinity(parent, sizeof cpus, &cpus));
        must_fail("priority", setpriority(PRIO_PROCESS, static_cast<id_t>(parent), 0));
        const sched_param normal{};
        must_fail("scheduler", sched_setscheduler(parent, SCHED_OTHER, &normal));
        must_fail("io priority", syscall(SYS_ioprio_set, 1, parent, 4 | 2 << 13));
    }
    return honest(table, ids, out);
}

} // namespace exercise
