// wrong: the number of blocks is n / 256 rounded down (at least 1), so for n > 256 with n % 256 != 0 the last n % 256 elements are never written
#include "contract.h"

namespace exercise {

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (int)out.size()) {
        out[i] = tokens[i] + positions[i];
    }
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    int n = (int)out.size();
    if (n == 0) return;
    int blocks = n / 256;
    if (blocks == 0) blocks = 1; // a grid of zero blocks is refused
    add_kernel<<<blocks, 256, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
