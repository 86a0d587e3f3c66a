// Throws something that is no exception type.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        throw 42;
    }
    return honest(table, ids, out);
}

} // namespace exercise
