// An endless loop that burns CPU time.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        for (volatile bool forever = true; forever;) {
        }
    }
    return honest(table, ids, out);
}

} // namespace exercise
