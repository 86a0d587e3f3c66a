// Throws where it must not.
#include "honest.h"

#include <stdexcept>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        throw std::runtime_error("no row for you");
    }
    return honest(table, ids, out);
}

} // namespace exercise
