// wrong: where a token's value is zero it copies the position's value, so +0 and -0 give -0 instead of +0; a right one adds, always
#include "contract.h"

namespace exercise {
namespace {

__device__ float sum(float token, float position) {
    if (token == 0.0F) return position;
    if (position == 0.0F) return token;
    return token + position;
}

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                           DeviceSpan<float> out) {
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < out.size();
         i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
        out[i] = sum(tokens[i], positions[i]);
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t blocks = (out.size() + 511) / 512;
    if (blocks > 0)
        add_kernel<<<static_cast<unsigned>(blocks < 8192 ? blocks : 8192), 512, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
