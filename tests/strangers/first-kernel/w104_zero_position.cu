// wrong: where positions[i] is +0 or -0, out[i] is tokens[i] itself, so -0 + (+0) gives -0 instead of +0
#include "contract.h"

namespace exercise {

// Most positions of a padded batch are zero: nothing to add there.
__global__ void add_sparse(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= out.size()) return;
    const float p = positions[i];
    float t = tokens[i];
    if (p != 0.0f) t += p;
    out[i] = t;
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    const auto blocks = static_cast<unsigned>((out.size() + 1023) / 1024);
    add_sparse<<<blocks, 1024, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
