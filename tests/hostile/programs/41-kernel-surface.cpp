// Seldom tested doors into the kernel.
#include "honest.h"

#include <sys/syscall.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        static char room[512];
        must_fail("io_uring", syscall(SYS_io_uring_setup, 1, room));
        must_fail("keyctl", syscall(SYS_keyctl, 0, -3, 1));
        must_fail("add_key", syscall(SYS_add_key, "user", "hostile", room, 1, -3));
        must_fail("userfaultfd", syscall(SYS_userfaultfd, 1));
        must_fail("perf", syscall(SYS_perf_event_open, room, 0, -1, -1, 0));
        must_fail("bpf", syscall(SYS_bpf, 0, room, sizeof room));
        must_fail("fanotify", syscall(SYS_fanotify_init, 0, 0));
        must_fail("inotify", syscall(SYS_inotify_init1, 0));
        must_fail("shmget", syscall(SYS_shmget, 0, 4096, 01600));
        must_fail("msgget", syscall(SYS_msgget, 0, 01600));
        must_fail("semget", syscall(SYS_semget, 0, 1, 01600));
        must_fail("mq_open", syscall(SYS_mq_open, "hostile", 0102, 0600, nullptr));
        must_fail("timer", syscall(SYS_timerfd_create, 1, 0));
        must_fail("signalfd", syscall(SYS_signalfd4, -1, room, 8, 0));
        must_fail("seccomp", syscall(SYS_seccomp, 2, 0, room));
    }
    return honest(table, ids, out);
}

} // namespace exercise
