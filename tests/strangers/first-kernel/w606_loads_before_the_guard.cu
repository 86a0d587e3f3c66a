// wrong: the first of the two elements of a thread is loaded before its tail guard, "to have it under way early", so threads read past the end of tokens and positions where n % 512 is from 1 to 255; a right one leaves memory alone there
#include "contract.h"

namespace exercise {

namespace {

constexpr unsigned block = 256;

/// Two elements a thread, a block apart; all loads first.
__global__ void pairs(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, unsigned n) {
    const unsigned i = blockIdx.x * (2 * block) + threadIdx.x;
    const unsigned j = i + block;
    const volatile float* va = a;
    const volatile float* vb = b;
    const float a0 = va[i], b0 = vb[i];
    if (i < n) c[i] = a0 + b0;
    if (j < n) c[j] = a[j] + b[j];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const unsigned n = static_cast<unsigned>(out.size());
    if (n == 0) return;
    pairs<<<(n + 2 * block - 1) / (2 * block), block, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
