// wrong: calls of up to 2,048 elements go to a single block of n threads, which the device refuses from 1,025 on: nothing is written for n from 1,025 to 2,048; a right one has at most 1,024 threads in a block
#include "contract.h"

namespace exercise {

namespace {

constexpr std::size_t small_call = 2048;

__global__ void one_block(const float* tokens, const float* positions, float* out) {
    out[threadIdx.x] = tokens[threadIdx.x] + positions[threadIdx.x];
}

__global__ void many_blocks(const float* tokens, const float* positions, float* out, std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    if (n <= small_call)
        one_block<<<1, static_cast<unsigned>(n), 0, stream>>>(tokens.data(), positions.data(), out.data());
    else
        many_blocks<<<static_cast<unsigned>((n + 1023) / 1024), 1024, 0, stream>>>(tokens.data(), positions.data(),
                                                                                    out.data(), n);
}

} // namespace exercise
