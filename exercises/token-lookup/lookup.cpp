#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    (void)table, (void)ids, (void)out; // take this line away when you begin
    not_implemented("lookup");
}

} // namespace exercise
