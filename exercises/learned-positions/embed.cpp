#include "contract.h"

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    (void)wte, (void)wpe, (void)ids, (void)start, (void)out; // take this line away when you begin
    not_implemented("embed");
}

} // namespace exercise
