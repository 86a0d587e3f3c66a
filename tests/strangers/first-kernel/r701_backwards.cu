// right: counts from the end to the front, in blocks of 96 threads on a capped grid with a grid-stride loop; the count is rounded up to whole warps so that warps stay on sector borders
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_backwards(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                              DeviceSpan<float> out) {
    const std::size_t n = out.size();
    const std::size_t whole = (n + 31) / 32 * 32;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t k = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < whole; k += step) {
        const std::size_t i = whole - 1 - k;
        if (i < n) out[i] = tokens[i] + positions[i];
    }
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    std::size_t blocks = (n - 1) / 96 + 1;
    if (blocks > 4096) blocks = 4096;
    add_backwards<<<static_cast<unsigned>(blocks), 96, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
