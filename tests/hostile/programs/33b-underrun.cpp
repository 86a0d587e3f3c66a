// Writes one value before the beginning.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        out.data[-1] = 1;
    }
    return honest(table, ids, out);
}

} // namespace exercise
