// Enters the kernel by the door of 32-bit programs, where numbers mean other calls.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        long result = 2; // fork
        asm volatile("int $0x80" : "+a"(result) : : "memory");
        if (result == 0) _exit(0);
        if (result > 0) breach("32-bit fork");
    }
    return honest(table, ids, out);
}

} // namespace exercise
