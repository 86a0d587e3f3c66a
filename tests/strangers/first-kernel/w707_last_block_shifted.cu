// wrong: instead of a tail guard the last block is shifted back to end at n, so it writes elements that the block before it writes, too, where n > 256 is no multiple of 256: a race of equal values; a right one lets one thread write each element
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned width = 256;

__global__ void add_full_blocks(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                                DeviceSpan<float> out) {
    const std::size_t last_start = out.size() - width;
    std::size_t start = static_cast<std::size_t>(blockIdx.x) * width;
    if (start > last_start) start = last_start;
    const std::size_t i = start + threadIdx.x;
    out[i] = tokens[i] + positions[i];
}

__global__ void add_small(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                          DeviceSpan<float> out) {
    const std::size_t i = threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    if (out.size() < width) {
        add_small<<<1, width, 0, stream>>>(tokens, positions, out);
        return;
    }
    const unsigned blocks = static_cast<unsigned>((out.size() + width - 1) / width);
    add_full_blocks<<<blocks, width, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
