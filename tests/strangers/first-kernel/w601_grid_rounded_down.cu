// wrong: the grid is n / 256 blocks (at least one), so the last n % 256 elements are not written where n > 256 is no multiple of 256; a right one rounds up
#include "contract.h"

#include <algorithm>

namespace exercise {

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int n = static_cast<int>(out.size());
    if (i < n) out[i] = tokens[i] + positions[i];
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const int n = static_cast<int>(out.size());
    if (n == 0) return;
    const int threads = 256;
    const int blocks = std::max(1, n / threads);
    add_kernel<<<blocks, threads, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
