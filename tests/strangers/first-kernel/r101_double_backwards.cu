// right: adds in double and rounds once (the same bits for a sum of two floats), walks from the end to the beginning with a capped grid, two-dimensional blocks of 32 x 3
#include "contract.h"

namespace exercise {

__global__ void walk(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    const std::size_t n = out.size();
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * 96;
    for (std::size_t k = static_cast<std::size_t>(blockIdx.x) * 96 + threadIdx.y * 32 + threadIdx.x; k < n; k += step) {
        const std::size_t i = n - 1 - k;
        out[i] = static_cast<float>(static_cast<double>(tokens[i]) + static_cast<double>(positions[i]));
    }
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    std::size_t blocks = (out.size() + 95) / 96;
    if (blocks == 0) return;
    if (blocks > 50'000) blocks = 50'000;
    walk<<<static_cast<unsigned>(blocks), dim3(32, 3), 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
