// right: four floats a thread by float4, but only where the three addresses lie alike within 16 bytes; the elements before the first and after the last whole quad go to single threads of the same launch, other calls to a plain kernel
#include "contract.h"

#include <cstdint>

namespace exercise {

namespace {

__global__ void quads(const float* a, const float* b, float* sum, unsigned head, unsigned fours, unsigned tail) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < fours) {
        const float4 x = reinterpret_cast<const float4*>(a + head)[i];
        const float4 y = reinterpret_cast<const float4*>(b + head)[i];
        reinterpret_cast<float4*>(sum + head)[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
    if (i < head) sum[i] = a[i] + b[i];
    if (i < tail) {
        const unsigned at = head + 4 * fours + i;
        sum[at] = a[at] + b[at];
    }
}

__global__ void singles(const float* a, const float* b, float* sum, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

/// Floats from the 16-byte boundary at or below p to p.
unsigned offset(const float* p) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(p) / sizeof(float) % 4);
}

unsigned grid(unsigned threads) {
    return (threads + 127) / 128;
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const unsigned n = static_cast<unsigned>(out.size());
    if (n == 0) return;
    const unsigned off = offset(out.data());
    if (offset(tokens.data()) != off || offset(positions.data()) != off) {
        singles<<<grid(n), 128, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
        return;
    }
    const unsigned to_boundary = (4 - off) % 4;
    const unsigned head = to_boundary < n ? to_boundary : n;
    const unsigned fours = (n - head) / 4, tail = (n - head) % 4;
    const unsigned threads = fours < 4 ? 4 : fours;
    quads<<<grid(threads), 128, 0, stream>>>(tokens.data(), positions.data(), out.data(), head, fours, tail);
}

} // namespace exercise
