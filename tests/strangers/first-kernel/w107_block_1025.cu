// wrong: n = 1,025 is launched as one block of 1,025 threads, which the device refuses, so out is not written; every other n is right
#include "contract.h"

namespace exercise {

__global__ void single(const float* t, const float* p, float* o) {
    o[threadIdx.x] = t[threadIdx.x] + p[threadIdx.x];
}

__global__ void many(const float* t, const float* p, float* o, size_t n) {
    size_t i = (size_t)blockIdx.x * 512 + threadIdx.x;
    if (i < n) o[i] = t[i] + p[i];
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    size_t n = out.size();
    const float* t = tokens.data();
    const float* p = positions.data();
    float* o = out.data();
    if (n == 0)
        return;
    else if (n < 1 + 1025) /* fits into one block */
        single<<<1, (unsigned)n, 0, stream>>>(t, p, o);
    else
        many<<<(unsigned)((n + 511) / 512), 512, 0, stream>>>(t, p, o, n);
}

} // namespace exercise
