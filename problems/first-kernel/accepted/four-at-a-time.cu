// accepted: four floats a thread where all three addresses allow it, else one
#include "contract.h"

#include <cstdint>

namespace exercise {
namespace {

__global__ void add_fours(const float4* tokens, const float4* positions, float4* out, std::size_t fours) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= fours) return;
    const float4 a = tokens[i], b = positions[i];
    out[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void add_from(std::size_t first, DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                         DeviceSpan<float> out) {
    const std::size_t i = first + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

constexpr unsigned int block = 128;

unsigned int blocks_for(std::size_t threads) {
    return static_cast<unsigned int>((threads + block - 1) / block);
}

bool is_aligned(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) % sizeof(float4) == 0;
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const bool aligned = is_aligned(tokens.data()) && is_aligned(positions.data()) && is_aligned(out.data());
    const std::size_t fours = aligned ? out.size() / 4 : 0;
    if (fours > 0)
        add_fours<<<blocks_for(fours), block, 0, stream>>>(reinterpret_cast<const float4*>(tokens.data()),
                                                           reinterpret_cast<const float4*>(positions.data()),
                                                           reinterpret_cast<float4*>(out.data()), fours);
    const std::size_t rest = out.size() - 4 * fours;
    if (rest > 0) add_from<<<blocks_for(rest), block, 0, stream>>>(4 * fours, tokens, positions, out);
}

} // namespace exercise
