// wrong: the blocks are counted in y, where a grid has at most 65,535 of them, so for n > 65,535 * 64 = 4,194,240 the launch is refused and out is not written; a right one counts them in x, or lets threads take several elements.
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned width = 64; // the array as rows of 64: x within a row, y from row to row

__global__ void add_rows(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                         DeviceSpan<float> out) {
    const unsigned row = blockIdx.y;
    const unsigned i = row * width + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    const unsigned rows = static_cast<unsigned>((out.size() + width - 1) / width);
    const dim3 grid(1, rows);
    const dim3 block(width);
    add_rows<<<grid, block, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
