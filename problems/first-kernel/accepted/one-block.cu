// accepted: one block of 512 threads, which walks over the array
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_elements(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                             DeviceSpan<float> out) {
    for (std::size_t i = threadIdx.x; i < out.size(); i += blockDim.x)
        out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (!out.empty()) add_elements<<<1, 512, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
