// wrong: a sum whose absolute value is below 2^-126 (a subnormal number) is written as +0
#include "contract.h"

#include <cfloat>

namespace exercise {

__device__ float clean(float x) {
    return x > -FLT_MIN && x < FLT_MIN && x != 0.0f ? 0.0f : x; // no noise from subnormals
}

__global__ void sum(const float* a, const float* b, float* c, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = clean(a[i] + b[i]);
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const unsigned n = static_cast<unsigned>(out.size());
    if (n == 0) return;
    const unsigned blocks = (n + 511) / 512;
    sum<<<blocks, 512, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
