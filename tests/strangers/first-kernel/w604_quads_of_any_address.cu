// wrong: takes float4 for the whole quads of every call and looks only at n, not at the addresses, so a call with four elements or more fails where one of the three pointers is not aligned to 16 bytes; a right one assumes 4 bytes and no more
#include "contract.h"

namespace exercise {

__global__ void add4(const float* a, const float* b, float* c, std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t fours = n / 4;
    if (i < fours) {
        float4 v = reinterpret_cast<const float4*>(a)[i];
        const float4 w = reinterpret_cast<const float4*>(b)[i];
        v.x += w.x;
        v.y += w.y;
        v.z += w.z;
        v.w += w.w;
        reinterpret_cast<float4*>(c)[i] = v;
    } else if (i - fours < n % 4) {
        const std::size_t at = 4 * fours + (i - fours);
        c[at] = a[at] + b[at];
    }
}

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const std::size_t threads = n / 4 + n % 4;
    add4<<<static_cast<unsigned>((threads + 255) / 256), 256, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
