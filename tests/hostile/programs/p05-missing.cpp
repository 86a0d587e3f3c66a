// The function is not there.
#include "contract.h"

namespace exercise {

Status look_up(Matrix<const float>, Ids, Matrix<float>) {
    return {};
}

} // namespace exercise
