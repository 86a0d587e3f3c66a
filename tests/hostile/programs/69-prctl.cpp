// Makes itself inspectable, outlives its parent, takes in orphans, moves its own memory map.
#include "honest.h"

#include <sys/prctl.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        must_fail("dumpable", prctl(PR_SET_DUMPABLE, 1));
        must_fail("parent death signal", prctl(PR_SET_PDEATHSIG, 0));
        must_fail("subreaper", prctl(PR_SET_CHILD_SUBREAPER, 1));
        must_fail("ptracer", prctl(0x59616d61, -1L));
        must_fail("memory map", prctl(PR_SET_MM, PR_SET_MM_BRK, 0, 0, 0));
        must_fail("seccomp", prctl(PR_SET_SECCOMP, 0, 0));
        must_fail("keep caps", prctl(PR_SET_KEEPCAPS, 1));
        must_fail("thp", prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0));
    }
    return honest(table, ids, out);
}

} // namespace exercise
