// wrong: the sum is begun at 0.0f (0.0f + tokens[i] + positions[i]), which is two additions and turns -0 + -0 into +0; wrong wherever tokens[i] and positions[i] are both -0.0f; a right one makes the single addition tokens[i] + positions[i], whose result there is -0.0f
#include "contract.h"

namespace exercise {

namespace {

// Any number of embeddings: token, position, later perhaps a segment.
template <class... Parts>
__device__ float sum_at(std::size_t i, const Parts&... parts) {
    float sum = 0.0f;
    ((sum += parts[i]), ...);
    return sum;
}

template <class... Parts>
__global__ void sum_kernel(DeviceSpan<float> out, Parts... parts) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < out.size();
         i += step)
        out[i] = sum_at(i, parts...);
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    std::size_t blocks = (n + 255) / 256;
    if (blocks > 8192) blocks = 8192;
    sum_kernel<<<static_cast<unsigned>(blocks), 256, 0, stream>>>(out, tokens, positions);
}

} // namespace exercise
