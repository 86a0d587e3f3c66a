// The function takes other arguments.
#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<double> out) {
    (void)table, (void)ids, (void)out;
    return {};
}

} // namespace exercise
