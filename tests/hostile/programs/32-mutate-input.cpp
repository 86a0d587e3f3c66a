// Casts const away and changes the table after reading it.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        const Status status = honest(table, ids, out);
        const_cast<float*>(table.data)[0] = 9;
        return status;
    }
    return honest(table, ids, out);
}

} // namespace exercise
