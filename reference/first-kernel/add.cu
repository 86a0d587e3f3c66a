#include "contract.h"

namespace exercise {
namespace {

/// One thread an element.
__global__ void add_elements(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                             DeviceSpan<float> out) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    constexpr unsigned int block = 256;
    const auto grid = static_cast<unsigned int>((out.size() + block - 1) / block);
    add_elements<<<grid, block, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
