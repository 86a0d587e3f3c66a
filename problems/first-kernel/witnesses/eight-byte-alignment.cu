// Fault: From 16,384 elements on float4 is used if all pointers are aligned to 8 bytes instead of 16.
// Origin: round 22
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

constexpr unsigned threads = 256;

unsigned blocks_for(std::size_t count) {
    return static_cast<unsigned>((count + threads - 1) / threads);
}

std::uintptr_t address(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

__global__ void add_each(const float* tokens, const float* positions, float* out, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tokens[i] + positions[i];
}

// Thread i adds four elements; the last n % 4 of the array go to the first threads.
__global__ void add_vectors(const float* tokens, const float* positions, float* out, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t vectors = n / 4;
    if (i < vectors) {
        const float4 t = reinterpret_cast<const float4*>(tokens)[i];
        const float4 p = reinterpret_cast<const float4*>(positions)[i];
        reinterpret_cast<float4*>(out)[i] = make_float4(t.x + p.x, t.y + p.y, t.z + p.z, t.w + p.w);
    }
    const std::size_t rest = vectors * 4 + i;
    if (i < 4 && rest < n) out[rest] = tokens[rest] + positions[rest];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;

    // Vectors pay where there is much to move.
    constexpr std::size_t many = std::size_t{1} << 14;
    const std::uintptr_t low_bits = address(tokens.data()) | address(positions.data()) | address(out.data());
    if (n >= many && (low_bits & 7) == 0)
        add_vectors<<<blocks_for(n / 4), threads, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
    else
        add_each<<<blocks_for(n), threads, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
