// A fork bomb of at most 150 processes.
#include "honest.h"

#include <sched.h>
#include <sys/syscall.h>

namespace exercise {
namespace {
/// Without a process this returns -1; with one, the child is gone before it could do anything.
long vfork_in_vain() {
    const long child = syscall(SYS_clone, 17 /* SIGCHLD */, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    return child;
}
} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        for (int i = 0; i < 150; ++i) {
            const pid_t child = fork();
            if (child == 0) _exit(0);
            must_fail("fork", child);
        }
        must_fail("vfork", vfork_in_vain());
    }
    return honest(table, ids, out);
}

} // namespace exercise
