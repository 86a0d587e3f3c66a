// wrong: the number of blocks is computed in float, which cannot hold every n above 2^24: the last element is not written where n = 2^24 + 1, and a few more for larger n just above a multiple of 256; a right one counts in whole numbers
#include "contract.h"

#include <cmath>

namespace exercise {

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                           DeviceSpan<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    constexpr int threads = 256;
    const int blocks = static_cast<int>(ceilf(static_cast<float>(out.size()) / threads));
    if (blocks > 0) add_kernel<<<blocks, threads, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
