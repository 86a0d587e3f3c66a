// Fault: The grid is limited to 65,535 blocks of 1,024 threads without a loop.
// Origin: round 15
// Depth: thorough
#include "contract.h"

#include <algorithm>

namespace exercise {

namespace {

constexpr unsigned block_size = 1024;

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                           DeviceSpan<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const std::size_t blocks = std::min<std::size_t>((n + block_size - 1) / block_size, 65535); // the largest grid
    add_kernel<<<static_cast<unsigned>(blocks), block_size, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
