// wrong: instead of a tail guard the last block is moved back so that it ends at n, and where n > 256 is no multiple of 256 it writes elements that the block before writes, too; in a right one no two threads write the same element.
#include "contract.h"

namespace exercise {
namespace {

constexpr int block = 256;

__global__ void add_full_blocks(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                                DeviceSpan<float> out) {
    const int n = static_cast<int>(out.size());
    const int begin = min(static_cast<int>(blockIdx.x) * block, n - block);
    const int i = begin + static_cast<int>(threadIdx.x);
    out[i] = tokens[i] + positions[i];
}

__global__ void add_few(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                        DeviceSpan<float> out) {
    out[threadIdx.x] = tokens[threadIdx.x] + positions[threadIdx.x];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const int n = static_cast<int>(out.size());
    if (n == 0) return;
    if (n < block)
        add_few<<<1, n, 0, stream>>>(tokens, positions, out);
    else
        add_full_blocks<<<(n + block - 1) / block, block, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
