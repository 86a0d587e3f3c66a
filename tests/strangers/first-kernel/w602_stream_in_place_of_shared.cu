// wrong: large arrays (from 65,536 elements on) are launched without the stream, on the default stream, and may run before the caller's work or after he looks where his stream is one of his own; a right one launches everything on `stream`
#include "contract.h"

namespace exercise {

namespace {

__global__ void add_small(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void add_large(const float* a, const float* b, float* c, int n) {
    for (int i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512)
        c[i] = a[i] + b[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const int n = static_cast<int>(out.size());
    if (n == 0) return;
    if (n < 65536)
        add_small<<<(n + 127) / 128, 128, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
    else
        add_large<<<(n + 2047) / 2048, 512>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
