// Jumps over the guard page below the stack.
#include "honest.h"

#include <alloca.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        volatile std::size_t far = 64 << 20;
        auto* below = static_cast<volatile char*>(alloca(far));
        below[0] = 1;
    }
    return honest(table, ids, out);
}

} // namespace exercise
