// Writes past the canary, into what lies behind.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        out.data[out.rows * out.stride + 16] = 1;
    }
    return honest(table, ids, out);
}

} // namespace exercise
