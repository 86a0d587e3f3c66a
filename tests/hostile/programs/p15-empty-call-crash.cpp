// Crashes when there is nothing to do.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {

    if (ids.empty()) std::abort();
    return honest(table, ids, out);
}

} // namespace exercise
