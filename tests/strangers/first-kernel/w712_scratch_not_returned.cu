// wrong: where positions is not aligned to 16 bytes it is copied to scratch memory first, which is never given back with cudaFreeAsync (a leak in each such call with n >= 4); a right one frees it on the stream in the same call, or needs none
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_four_each(const float* tokens, const float* positions, float* out, std::size_t n) {
    const std::size_t q = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t quads = n / 4;
    if (q < quads) {
        const float4 a = reinterpret_cast<const float4*>(tokens)[q];
        const float4 b = reinterpret_cast<const float4*>(positions)[q];
        reinterpret_cast<float4*>(out)[q] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    } else if (q < quads + n % 4) {
        const std::size_t i = 4 * quads + (q - quads);
        out[i] = tokens[i] + positions[i];
    }
}

__global__ void add_one_each(const float* tokens, const float* positions, float* out, std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tokens[i] + positions[i];
}

bool wide(const float* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    if (n < 4 || !wide(tokens.data()) || !wide(out.data())) {
        add_one_each<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(tokens.data(), positions.data(),
                                                                               out.data(), n);
        return;
    }
    const float* addend = positions.data();
    if (!wide(addend)) {
        float* copy = nullptr;
        cudaMallocAsync(reinterpret_cast<void**>(&copy), n * sizeof(float), stream);
        cudaMemcpyAsync(copy, addend, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
        addend = copy;
    }
    const std::size_t threads = n / 4 + n % 4;
    add_four_each<<<static_cast<unsigned>((threads + 255) / 256), 256, 0, stream>>>(tokens.data(), addend, out.data(),
                                                                                  n);
}

} // namespace exercise
