// Follows a null pointer.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        table.data = nullptr;
    }
    return honest(table, ids, out);
}

} // namespace exercise
