// Namespaces, mounts, a root of its own, the identity of root.
#include "honest.h"

#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        must_fail("unshare", unshare(CLONE_NEWUSER));
        must_fail("unshare", unshare(CLONE_NEWNS));
        must_fail("setns", setns(3, 0));
        must_fail("mount", mount("none", "/tmp", "tmpfs", MS_RDONLY, nullptr));
        must_fail("chroot", chroot("/tmp"));
        must_fail("pivot_root", syscall(SYS_pivot_root, "/tmp", "/tmp"));
        must_fail("setuid", setuid(0));
        must_fail("setgroups", setgroups(0, nullptr));
        if (geteuid() == 0) breach("worker runs as root");
    }
    return honest(table, ids, out);
}

} // namespace exercise
