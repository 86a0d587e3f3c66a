// Makes processes by every other way there is.
#include "honest.h"

#include <cstdint>
#include <sys/syscall.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        for (const long flags : {0L, 17L, 0x4000L | 17L, 0x100L | 17L, 0x10000000L | 17L}) {
            if ((flags & 0x100) != 0) continue; // sharing memory with a child would be our own end
            const long child = syscall(SYS_clone, flags, 0, 0, 0, 0);
            if (child == 0) _exit(0);
            must_fail("clone", child);
        }
        std::uint64_t wanted[11] = {0x1000, 0, 0, 0, 17};
        const long child = syscall(SYS_clone3, wanted, sizeof wanted);
        if (child == 0) _exit(0);
        must_fail("clone3", child);
    }
    return honest(table, ids, out);
}

} // namespace exercise
