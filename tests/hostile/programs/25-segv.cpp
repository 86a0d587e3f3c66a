// Writes to address 16.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        *reinterpret_cast<volatile int*>(16) = 1;
    }
    return honest(table, ids, out);
}

} // namespace exercise
