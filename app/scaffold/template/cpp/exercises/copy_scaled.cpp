#include "contract.h"

namespace exercise {

Status copy_scaled(std::span<const float> in, float scale, std::span<float> out) {
    (void)in, (void)scale, (void)out; // take this line away when you begin
    not_implemented("copy_scaled");
}

} // namespace exercise
