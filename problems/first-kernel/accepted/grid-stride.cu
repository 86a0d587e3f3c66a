// accepted: a fixed grid, whose threads go on to further elements
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_elements(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                             DeviceSpan<float> out) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < out.size(); i += threads)
        out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (!out.empty()) add_elements<<<16, 128, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
