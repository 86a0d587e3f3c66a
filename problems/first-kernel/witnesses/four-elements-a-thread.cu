// Fault: Each thread owns four consecutive elements even if it cannot load them as a float4, which moves four times
//  the bytes.
// Origin: round 21
#include "contract.h"

#include <cstdint>

namespace exercise {
namespace {

constexpr unsigned threads = 256;

template <bool Aligned>
__global__ void add_quads(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    const std::size_t n = out.size();
    const std::size_t quad = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t first = 4 * quad;
    if constexpr (Aligned) {
        if (first + 4 <= n) {
            const float4 a = reinterpret_cast<const float4*>(tokens.data())[quad];
            const float4 b = reinterpret_cast<const float4*>(positions.data())[quad];
            reinterpret_cast<float4*>(out.data())[quad] =
                make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
            return;
        }
    }
    for (std::size_t i = first; i < first + 4 && i < n; ++i) out[i] = tokens[i] + positions[i];
}

bool aligned(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const std::size_t quads = (n + 3) / 4;
    const unsigned blocks = static_cast<unsigned>((quads + threads - 1) / threads);
    if (aligned(tokens.data()) && aligned(positions.data()) && aligned(out.data()))
        add_quads<true><<<blocks, threads, 0, stream>>>(tokens, positions, out);
    else
        add_quads<false><<<blocks, threads, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
