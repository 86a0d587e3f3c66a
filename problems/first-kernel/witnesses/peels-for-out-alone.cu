// Fault: Elements are peeled until out is aligned, without checking that tokens and positions are aligned there too.
// Origin: round 13
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned block = 256;

__global__ void add_scalar(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> out) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = a[i] + b[i];
}

// head single elements, then quads of four, then tail single elements
__global__ void add_vector(const float* a, const float* b, float* out, unsigned head, unsigned quads, unsigned tail) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < head) out[i] = a[i] + b[i];
    if (i < quads) {
        const float4 x = reinterpret_cast<const float4*>(a + head)[i];
        const float4 y = reinterpret_cast<const float4*>(b + head)[i];
        reinterpret_cast<float4*>(out + head)[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
    if (i < tail) {
        const unsigned k = head + 4 * quads + i;
        out[k] = a[k] + b[k];
    }
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const unsigned n = static_cast<unsigned>(out.size());
    if (n == 0) return;
    if (n < 256) {
        add_scalar<<<1, block, 0, stream>>>(tokens, positions, out);
        return;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(out.data());
    const unsigned head = static_cast<unsigned>((16 - address % 16) % 16 / sizeof(float));
    const unsigned quads = (n - head) / 4;
    const unsigned tail = (n - head) % 4;
    add_vector<<<(quads + block - 1) / block, block, 0, stream>>>(tokens.data(), positions.data(), out.data(), head,
                                                                  quads, tail);
}

} // namespace exercise
