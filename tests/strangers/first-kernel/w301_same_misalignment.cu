// wrong: peels elements until `out` is 16-byte aligned and then assumes that `tokens` and `positions` are aligned as well; breaks (misaligned float4 load) when the three pointers are not equally misaligned modulo 16 and n is large enough to have a vector part
#include "contract.h"

#include <cstdint>

namespace {

__global__ void add_vectors(const float* tokens, const float* positions, float* out, int head, int vectors, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < vectors) {
        const float4 a = reinterpret_cast<const float4*>(tokens + head)[i];
        const float4 b = reinterpret_cast<const float4*>(positions + head)[i];
        reinterpret_cast<float4*>(out + head)[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
    // what is left over at both ends: at most 3 + 3 elements
    if (i < head) out[i] = tokens[i] + positions[i];
    const int tail = head + 4 * vectors + i;
    if (i < 4 && tail < n) out[tail] = tokens[tail] + positions[tail];
}

} // namespace

namespace exercise {

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const int n = static_cast<int>(out.size());
    if (n == 0) return;
    int head = static_cast<int>((16 - reinterpret_cast<std::uintptr_t>(out.data()) % 16) % 16 / sizeof(float));
    if (head > n) head = n;
    const int vectors = (n - head) / 4;
    const int threads = 256;
    const int blocks = vectors / threads + 1;
    add_vectors<<<blocks, threads, 0, stream>>>(tokens.data(), positions.data(), out.data(), head, vectors, n);
}

} // namespace exercise
