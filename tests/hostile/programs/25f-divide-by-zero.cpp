// Divides an integer by zero.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        volatile int zero = 0, some = 7;
        std::printf("%d", some / zero);
    }
    return honest(table, ids, out);
}

} // namespace exercise
