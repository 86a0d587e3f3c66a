// right: float4 where all three pointers are congruent modulo 16, with the at most six elements before and after done by the first threads; otherwise a coalesced scalar loop in the same grid
#include "contract.h"

namespace exercise {
namespace {

__device__ unsigned slot_in_quad(const void* p) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(p) % 16 / 4);
}

__global__ void add_quads(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                          DeviceSpan<float> out) {
    const std::size_t n = out.size();
    const std::size_t me = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t all = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const unsigned slot = slot_in_quad(out.data());
    if (slot_in_quad(tokens.data()) != slot || slot_in_quad(positions.data()) != slot) {
        for (std::size_t i = me; i < n; i += all)
            out[i] = tokens[i] + positions[i];
        return;
    }
    std::size_t head = (4 - slot) % 4;
    if (head > n) head = n;
    const std::size_t quads = (n - head) / 4;
    if (me < quads) {
        const float4 a = reinterpret_cast<const float4*>(tokens.data() + head)[me];
        const float4 b = reinterpret_cast<const float4*>(positions.data() + head)[me];
        float4 sum;
        sum.x = a.x + b.x;
        sum.y = a.y + b.y;
        sum.z = a.z + b.z;
        sum.w = a.w + b.w;
        reinterpret_cast<float4*>(out.data() + head)[me] = sum;
    }
    const std::size_t rest = n - 4 * quads; // at most 6, and the grid has at least 256 threads
    if (me < rest) {
        const std::size_t i = me < head ? me : 4 * quads + me;
        out[i] = tokens[i] + positions[i];
    }
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const unsigned blocks = static_cast<unsigned>((n + 1023) / 1024);
    add_quads<<<blocks, 256, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
