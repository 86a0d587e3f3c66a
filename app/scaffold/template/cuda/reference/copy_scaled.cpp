#include "contract.h"

// What the kernel is compared with: the same on a CPU.
namespace exercise {

// FILL IN: the obvious implementation of your contract: slow is fine, sums in double
Status copy_scaled(DeviceSpan<const float> in, float scale, DeviceSpan<float> out, cudaStream_t) {
    if (out.size() != in.size()) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < in.size(); ++i)
        out[i] = scale * in[i];
    return {};
}

} // namespace exercise
