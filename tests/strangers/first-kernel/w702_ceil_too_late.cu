// wrong: ceil() of an integer division that has already rounded down, so the last n % 256 elements are not written where n > 256 is no multiple of 256; a right one launches one block more
#include "contract.h"

#include <cmath>

namespace exercise {

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                           DeviceSpan<float> out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tokens[i] + positions[i];
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    int n = static_cast<int>(out.size());
    if (n == 0) return;
    int threads = n < 256 ? n : 256;
    int blocks = static_cast<int>(std::ceil(n / threads));
    add_kernel<<<blocks, threads, 0, stream>>>(tokens, positions, out, n);
}

} // namespace exercise
