// wrong: the blocks are numbered along y, of which a grid may have 65,535, so more than 16,776,960 elements (65,535 * 256) are refused by the device and nothing is written; a right one works for all n up to 2^30
#include "contract.h"

namespace exercise {

__global__ void add_rows(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    const int row = blockIdx.y;
    const int column = threadIdx.x;
    const int i = row * blockDim.x + column;
    if (i < static_cast<int>(out.size())) out[i] = tokens[i] + positions[i];
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.size() == 0) return;
    const dim3 threads(256, 1);
    const dim3 blocks(1, static_cast<unsigned>((out.size() + threads.x - 1) / threads.x));
    add_rows<<<blocks, threads, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
