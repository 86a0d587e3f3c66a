// One value is wrong.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        honest(table, ids, out);
        out(2, 1) = 7;
        return {};
    }
    return honest(table, ids, out);
}

} // namespace exercise
