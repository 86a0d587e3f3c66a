// wrong: reads positions as float4 after checking only tokens and out for 16-byte alignment, so where those two are aligned and positions is not, n >= 4 makes misaligned reads
#include "contract.h"

#include <cstdint>

namespace exercise {
namespace {

__global__ void add4(const float4* t, const float4* p, float4* o, std::size_t quads) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= quads) return;
    const float4 a = t[i], b = p[i];
    o[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void add1(const float* t, const float* p, float* o, std::size_t first, std::size_t n) {
    const std::size_t i = first + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) o[i] = t[i] + p[i];
}

constexpr unsigned threads = 128;

unsigned blocks(std::size_t work) {
    return static_cast<unsigned>((work + threads - 1) / threads);
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    const auto either = reinterpret_cast<std::uintptr_t>(tokens.data()) | reinterpret_cast<std::uintptr_t>(out.data());
    const std::size_t quads = either % 16 == 0 ? n / 4 : 0;
    if (quads != 0)
        add4<<<blocks(quads), threads, 0, stream>>>(reinterpret_cast<const float4*>(tokens.data()),
                                                    reinterpret_cast<const float4*>(positions.data()),
                                                    reinterpret_cast<float4*>(out.data()), quads);
    if (quads * 4 != n)
        add1<<<blocks(n - quads * 4), threads, 0, stream>>>(tokens.data(), positions.data(), out.data(), quads * 4, n);
}

} // namespace exercise
