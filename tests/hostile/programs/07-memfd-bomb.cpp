// Memory files: memory that no limit on addresses counts.
#include "honest.h"

#include <sys/syscall.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        for (int i = 0; i < 40; ++i)
            must_fail("memfd_create", syscall(SYS_memfd_create, "hostile", 0));
        must_fail("memfd_secret", syscall(447, 0));
    }
    return honest(table, ids, out);
}

} // namespace exercise
