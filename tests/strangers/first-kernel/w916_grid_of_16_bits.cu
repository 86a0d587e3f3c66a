// wrong: the grid is limited to 65535 blocks of 1024 and no thread has a second element, so for n > 67107840 the rest is not written
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
