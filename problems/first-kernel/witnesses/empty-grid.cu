// Fault: The grid is sized by whole vectors alone, so 4 to 6 equally unaligned elements launch an empty grid.
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

// Elements before the first address that is a multiple of 16, then vectors, then what is left.
struct Parts {
    std::size_t head;
    std::size_t vectors;
    std::size_t tail;
};

__global__ void add_parts(const float* tokens, const float* positions, float* out, Parts parts) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < parts.vectors) {
        const float4 t = reinterpret_cast<const float4*>(tokens + parts.head)[i];
        const float4 p = reinterpret_cast<const float4*>(positions + parts.head)[i];
        reinterpret_cast<float4*>(out + parts.head)[i] =
            make_float4(t.x + p.x, t.y + p.y, t.z + p.z, t.w + p.w);
    }
    if (i < parts.head) out[i] = tokens[i] + positions[i];
    if (i < parts.tail) {
        const std::size_t k = parts.head + parts.vectors * 4 + i;
        out[k] = tokens[k] + positions[k];
    }
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;

    const std::uintptr_t beyond = address(out.data()) % 16;
    const bool together = address(tokens.data()) % 16 == beyond && address(positions.data()) % 16 == beyond;
    if (n < 4 || !together) { // no vector fits
        add_each<<<blocks_for(n), threads, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
        return;
    }
    Parts parts{};
    parts.head = (16 - beyond) % 16 / sizeof(float);
    parts.vectors = (n - parts.head) / 4;
    parts.tail = (n - parts.head) % 4;
    add_parts<<<blocks_for(parts.vectors), threads, 0, stream>>>(tokens.data(), positions.data(), out.data(),
                                                                 parts);
}

} // namespace exercise
