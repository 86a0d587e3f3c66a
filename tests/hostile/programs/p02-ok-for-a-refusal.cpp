// Says ok where it must refuse.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {

    const Status status = honest(table, ids, out);
    return status.code == Code::id_out_of_range ? Status{} : status;
}

} // namespace exercise
