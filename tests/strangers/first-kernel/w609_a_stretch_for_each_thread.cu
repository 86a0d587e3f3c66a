// wrong: each thread adds a stretch of 16 neighbouring elements, so neighbouring threads read and write 64 bytes apart, in every call of more than 16 elements; the numbers are right; in a right one neighbouring threads have neighbouring elements
#include "contract.h"

namespace exercise {

__global__ void add_stretch(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    constexpr std::size_t stretch = 16;
    const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t begin = thread * stretch;
    const std::size_t end = begin + stretch < out.size() ? begin + stretch : out.size();
    for (std::size_t i = begin; i < end; ++i)
        out[i] = tokens[i] + positions[i];
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    const std::size_t per_block = 16 * 128;
    add_stretch<<<static_cast<unsigned>((out.size() + per_block - 1) / per_block), 128, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
