// wrong: the float4 path is chosen by the alignment of `tokens` alone, so it shows as a misaligned access when tokens lies on 16 bytes but positions or out does not (n >= 4); a right one looks at all three pointers, or never loads float4.
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

constexpr int threads = 256;

__global__ void add_quads(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                          DeviceSpan<float> out, int quads) {
    const int q = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (q < quads) {
        const float4 a = reinterpret_cast<const float4*>(tokens.data())[q];
        const float4 b = reinterpret_cast<const float4*>(positions.data())[q];
        reinterpret_cast<float4*>(out.data())[q] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
    // The last one, two or three elements.
    const int n = static_cast<int>(out.size());
    const int i = quads * 4 + q;
    if (q < 4 && i < n) out[i] = tokens[i] + positions[i];
}

__global__ void add_singles(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                            DeviceSpan<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const int n = static_cast<int>(out.size());
    if (n == 0) return;
    const bool aligned = reinterpret_cast<std::uintptr_t>(tokens.data()) % sizeof(float4) == 0;
    if (aligned && n >= 4) {
        const int quads = n / 4;
        add_quads<<<(quads + threads - 1) / threads, threads, 0, stream>>>(tokens, positions, out, quads);
    } else {
        add_singles<<<(n + threads - 1) / threads, threads, 0, stream>>>(tokens, positions, out);
    }
}

} // namespace exercise
