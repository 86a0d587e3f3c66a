// wrong: threads past the end load positions[i] before the tail guard, so for n % 256 != 0 up to 255 elements behind positions are read, out of bounds
#include "contract.h"

namespace exercise {

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    __shared__ float staged[256];
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    staged[threadIdx.x] = positions[i];
    __syncthreads(); // all threads of the block come here
    if (i < out.size()) out[i] = tokens[i] + staged[threadIdx.x];
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n > 0) add_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
