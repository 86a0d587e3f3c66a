// Returns a Status that no contract knows.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        return {static_cast<Code>(-559038737), ~std::size_t{0}, -1, -1};
    }
    return honest(table, ids, out);
}

} // namespace exercise
