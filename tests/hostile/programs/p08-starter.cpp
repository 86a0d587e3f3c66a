// Says that it is not implemented.
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float>, Ids, Matrix<float>) {
    not_implemented("lookup");
}

} // namespace exercise
