// accepted: FILL IN: how it differs from the reference; then at least three more variants, a file each
#include "contract.h"

#include <algorithm>

namespace exercise {

Status copy_scaled(std::span<const float> in, float scale, std::span<float> out) {
    if (out.size() != in.size()) return {Code::shape_mismatch};
    std::ranges::transform(in, out.begin(), [scale](float x) { return scale * x; });
    return {};
}

} // namespace exercise
