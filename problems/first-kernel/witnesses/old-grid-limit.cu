// Fault: The grid is limited to 65,535 blocks of 512 threads without a loop.
// Origin: round 14
// Depth: thorough
#include "contract.h"

#include <algorithm>

namespace exercise {

namespace {

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                           DeviceSpan<float> out) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const unsigned threads = 512;
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>((n + threads - 1) / threads, 65'535));
    add_kernel<<<blocks, threads, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
