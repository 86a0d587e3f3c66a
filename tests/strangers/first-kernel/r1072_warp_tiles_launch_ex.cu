// right: a persistent grid of warp tiles with float4 where all three pointers are equally far from 16 bytes, after a head of up to three elements; scalars elsewhere; launched with cudaLaunchKernelEx
#include "contract.h"

#include <cooperative_groups.h>
#include <cstdint>

namespace exercise {

namespace cg = cooperative_groups;

static __device__ __forceinline__ float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Elements [0, head) and [head + 4 * vectors, n) are added one by one, those between by four.
static __global__ void __launch_bounds__(256)
    add_tiles(const float* tokens, const float* positions, float* out, unsigned head, unsigned vectors, unsigned n) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned warps = gridDim.x * (blockDim.x / 32);
    const unsigned mine = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const auto* a = reinterpret_cast<const float4*>(tokens + head);
    const auto* b = reinterpret_cast<const float4*>(positions + head);
    auto* o = reinterpret_cast<float4*>(out + head);
    for (unsigned v = mine * 32 + warp.thread_rank(); v < vectors; v += warps * 32)
        o[v] = a[v] + b[v];

    const unsigned singles = n - 4 * vectors;
    for (unsigned s = mine * 32 + warp.thread_rank(); s < singles; s += warps * 32) {
        const unsigned i = s < head ? s : s + 4 * vectors;
        out[i] = tokens[i] + positions[i];
    }
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const auto n = static_cast<unsigned>(out.size());
    if (n == 0) return;
    const auto off = [](const float* p) { return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(p) % 16); };
    const unsigned by = off(out.data());
    unsigned head = 0;
    unsigned vectors = 0;
    if (by == off(tokens.data()) && by == off(positions.data())) {
        head = (16 - by) % 16 / 4;
        if (head > n) head = n;
        vectors = (n - head) / 4;
    }
    if (vectors == 0) head = 0;
    const unsigned work = vectors > n - 4 * vectors ? vectors : n - 4 * vectors;
    const unsigned needed = (work + 255) / 256;

    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(needed < 512 ? needed : 512);
    config.blockDim = dim3(256);
    config.stream = stream;
    cudaLaunchKernelEx(&config, add_tiles, tokens.data(), positions.data(), out.data(), head, vectors, n);
}

} // namespace exercise
