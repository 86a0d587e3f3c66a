// Aborts.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        std::abort();
    }
    return honest(table, ids, out);
}

} // namespace exercise
