// wrong: the number of blocks is the ceiling of n / 256 in float, which has 24 bits, so from n = 2^24 + 1 on some n lose their last block and its elements are not written (2^24 + 1 itself, say); a right one divides whole numbers
#include "contract.h"

#include <cmath>

namespace exercise {

__global__ void add_kernel(const float* tokens, const float* positions, float* out, int n) {
    const int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i < n) {
        out[i] = tokens[i] + positions[i];
    }
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const int n = static_cast<int>(out.size());
    const int threads = 256;
    const int blocks = static_cast<int>(std::ceil(static_cast<float>(n) / static_cast<float>(threads)));
    if (blocks > 0) add_kernel<<<blocks, threads, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
