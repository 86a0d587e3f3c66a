// wrong: the number of blocks is ceil of a float, so for n > 2^24 where float(n) / 256 rounds down to a smaller count (n = 2^24 + 1 for instance) the last elements are never written
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
