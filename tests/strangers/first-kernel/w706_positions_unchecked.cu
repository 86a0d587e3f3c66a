// wrong: takes float4 where tokens and out are aligned to 16 bytes, and forgets to check positions: a misaligned access where only positions begins off a multiple of 16 and n >= 4; a right one checks all three
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_scalar(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                           DeviceSpan<float> out, std::size_t first) {
    const std::size_t i = first + static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

__global__ void add_wide(const float4* tokens, const float4* positions, float4* out, std::size_t quads) {
    const std::size_t q = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (q >= quads) return;
    const float4 a = tokens[q], b = positions[q];
    out[q] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

bool aligned(const float* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    std::size_t done = 0;
    if (aligned(tokens.data()) && aligned(out.data())) {
        const std::size_t quads = n / 4;
        if (quads > 0)
            add_wide<<<static_cast<unsigned>((quads + 127) / 128), 128, 0, stream>>>(
                reinterpret_cast<const float4*>(tokens.data()), reinterpret_cast<const float4*>(positions.data()),
                reinterpret_cast<float4*>(out.data()), quads);
        done = 4 * quads;
    }
    if (done < n)
        add_scalar<<<static_cast<unsigned>((n - done + 127) / 128), 128, 0, stream>>>(tokens, positions, out, done);
}

} // namespace exercise
