// wrong: the blocks are counted in y, where a grid has at most 65,535; for n > 65,535 * 128 = 8,388,480 the launch is refused and `out` is never written; a right one counts blocks in x or loops
#include "contract.h"

namespace exercise {

namespace {

constexpr unsigned threads = 128;

// The arrays are columns, so the grid is one, too.
__global__ void add_column(const float* __restrict__ tokens, const float* __restrict__ positions,
                           float* __restrict__ out, std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.y) * threads + threadIdx.x;
    if (i >= n) return;
    out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const dim3 grid(1, static_cast<unsigned>((n + threads - 1) / threads));
    add_column<<<grid, threads, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
