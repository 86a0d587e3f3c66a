// wrong: cudaMemcpyAsync is called without its stream argument and so runs on the default stream, which shows when the caller's stream is one of its own; a right one passes `stream` to every copy and kernel.
#include "contract.h"

#include <cstddef>

namespace exercise {
namespace {

// out holds the tokens already.
__global__ void accumulate(DeviceSpan<float> out, DeviceSpan<const float> positions) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < out.size();
         i += step)
        out[i] += positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    cudaMemcpyAsync(out.data(), tokens.data(), out.size() * sizeof(float), cudaMemcpyDeviceToDevice);
    const unsigned blocks = static_cast<unsigned>((out.size() + 255) / 256);
    accumulate<<<blocks, 256, 0, stream>>>(out, positions);
}

} // namespace exercise
