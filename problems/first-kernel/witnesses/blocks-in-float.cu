// Fault: The number of blocks is computed in float, so above 2^24 elements the last block may be missing.
// Origin: round 8
#include "contract.h"

#include <cmath>

namespace {

__global__ void add_kernel(contract::DeviceSpan<const float> tokens, contract::DeviceSpan<const float> positions,
                           contract::DeviceSpan<float> out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

} // namespace

namespace exercise {

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    constexpr int threads = 256;
    const int blocks = static_cast<int>(std::ceil(static_cast<float>(out.size()) / threads));
    if (blocks == 0) return;
    add_kernel<<<blocks, threads, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
