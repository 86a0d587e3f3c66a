#include "contract.h"

namespace exercise {

// FILL IN: the obvious implementation of your contract: slow is fine, sums in double
Status copy_scaled(std::span<const float> in, float scale, std::span<float> out) {
    if (out.size() != in.size()) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < in.size(); ++i)
        out[i] = scale * in[i];
    return {};
}

} // namespace exercise
