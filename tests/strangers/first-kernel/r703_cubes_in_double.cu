// right: three-dimensional blocks (32, 2, 4) in a two-dimensional grid, and the sum made in double and rounded once to float, which is the float sum for every pair of floats
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_cubes(const float* tokens, const float* positions, float* out, std::size_t n) {
    const unsigned in_block = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const std::size_t block = static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x;
    const std::size_t i = block * (blockDim.x * blockDim.y * blockDim.z) + in_block;
    if (i >= n) return;
    out[i] = static_cast<float>(static_cast<double>(tokens[i]) + static_cast<double>(positions[i]));
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    const std::size_t blocks = n / 256 + (n % 256 != 0);
    if (blocks == 0) return;
    const unsigned wide = static_cast<unsigned>(blocks < 1000 ? blocks : 1000);
    const unsigned high = static_cast<unsigned>((blocks + wide - 1) / wide);
    add_cubes<<<dim3(wide, high), dim3(32, 2, 4), 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
