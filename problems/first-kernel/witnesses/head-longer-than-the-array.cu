// Fault: Up to three elements are added before the first aligned one without checking that there are so many.
// Origin: round 14
#include "contract.h"

namespace exercise {

namespace {

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                           DeviceSpan<float> out) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

/// `head` single elements up to an address that float4 may have, then fours, then the rest.
__global__ void add_peeled(const float* tokens, const float* positions, float* out, int n, int head) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int rest = n - head;
    const int fours = rest / 4;
    if (i < head) out[i] = tokens[i] + positions[i];
    if (i < fours) {
        const float4 a = reinterpret_cast<const float4*>(tokens + head)[i];
        const float4 b = reinterpret_cast<const float4*>(positions + head)[i];
        reinterpret_cast<float4*>(out + head)[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
    const int tail = head + 4 * fours + i;
    if (i < rest % 4) out[tail] = tokens[tail] + positions[tail];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const auto n = static_cast<int>(out.size());
    if (n == 0) return;
    const int threads = 256;
    const auto a = reinterpret_cast<std::uintptr_t>(tokens.data()) % 16;
    const auto b = reinterpret_cast<std::uintptr_t>(positions.data()) % 16;
    const auto o = reinterpret_cast<std::uintptr_t>(out.data()) % 16;
    if (a == o && b == o) {
        const auto head = static_cast<int>((16 - o) % 16 / 4);
        const int blocks = n / 4 / threads + 1;
        add_peeled<<<blocks, threads, 0, stream>>>(tokens.data(), positions.data(), out.data(), n, head);
    } else {
        const int blocks = (n - 1) / threads + 1;
        add_kernel<<<blocks, threads, 0, stream>>>(tokens, positions, out);
    }
}

} // namespace exercise
