// wrong: a fixed grid of 4,096 threads each of which adds its own slice of consecutive elements, so where n > 4,096 neighbouring threads touch floats that lie a slice apart and most of what moves is not used; a right one gives neighbouring threads neighbouring elements
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_slices(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                           DeviceSpan<float> out) {
    const std::size_t n = out.size();
    const std::size_t workers = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const std::size_t worker = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t slice = (n + workers - 1) / workers;
    const std::size_t first = worker * slice;
    const std::size_t last = first + slice < n ? first + slice : n;
    for (std::size_t i = first; i < last; ++i)
        out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (!out.empty()) add_slices<<<16, 256, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
