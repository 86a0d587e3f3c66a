// Enters the kernel with the numbers of the x32 interface.
#include "honest.h"

#include <sys/syscall.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        must_fail("x32 socket", syscall(0x40000000 | SYS_socket, 1, 1, 0));
    }
    return honest(table, ids, out);
}

} // namespace exercise
