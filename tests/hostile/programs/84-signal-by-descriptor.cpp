// Asks the kernel to send signals to the driver when a descriptor stirs.
#include "honest.h"

#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        must_fail("owner", fcntl(1, F_SETOWN, getppid()));
        must_fail("signal", fcntl(1, F_SETSIG, SIGKILL));
        must_fail("flags", fcntl(1, F_SETFL, O_ASYNC));
        must_fail("lease", fcntl(3, F_SETLEASE, F_WRLCK));
        struct flock whole {};
        whole.l_type = F_WRLCK;
        must_fail("lock", fcntl(3, F_SETLK, &whole));
        must_fail("flock", flock(3, LOCK_EX));
        must_fail("async", ioctl(1, 0x5452 /* FIOASYNC */, &whole));
        must_fail("pipe size", fcntl(1, F_SETPIPE_SZ, 1 << 20));
    }
    return honest(table, ids, out);
}

} // namespace exercise
