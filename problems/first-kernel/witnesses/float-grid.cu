// Fault: The number of blocks is the ceiling of a float, so above 2^24 elements the last block may be missing.
// Origin: round 6
#include "contract.h"

#include <cmath>

namespace exercise {

__global__ void addKernel(const float* tokens, const float* positions, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tokens[i] + positions[i];
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    int n = static_cast<int>(out.size());
    int threads = 256;
    int blocks = static_cast<int>(std::ceil(n / float(threads)));
    if (blocks > 0) addKernel<<<blocks, threads, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
