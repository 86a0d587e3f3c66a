// Fault: float4 is used if the xor of the three addresses is a multiple of 16, which two equally unaligned pointers
//  satisfy.
// Origin: round 18
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

constexpr unsigned threads_per_block = 256;

unsigned blocks_for(std::size_t threads) {
    return static_cast<unsigned>((threads + threads_per_block - 1) / threads_per_block);
}

__global__ void add_elements(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                             DeviceSpan<float> out) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

// Thread t adds elements 4 t to 4 t + 3; the last threads add what is left, one each.
__global__ void add_quads(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                          DeviceSpan<float> out) {
    const std::size_t quads = out.size() / 4;
    const std::size_t t = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (t < quads) {
        const float4 a = reinterpret_cast<const float4*>(tokens.data())[t];
        const float4 b = reinterpret_cast<const float4*>(positions.data())[t];
        reinterpret_cast<float4*>(out.data())[t] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
        return;
    }
    const std::size_t i = 4 * quads + (t - quads);
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const std::uintptr_t a = reinterpret_cast<std::uintptr_t>(tokens.data());
    const std::uintptr_t b = reinterpret_cast<std::uintptr_t>(positions.data());
    const std::uintptr_t c = reinterpret_cast<std::uintptr_t>(out.data());
    if (((a ^ b ^ c) & 15) == 0) { // all of them are aligned to 16 bytes
        add_quads<<<blocks_for(n / 4 + n % 4), threads_per_block, 0, stream>>>(tokens, positions, out);
        return;
    }
    add_elements<<<blocks_for(n), threads_per_block, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
