// wrong: instead of a tail guard the last block is moved back so that it ends at n; for n > 256 with n % 256 != 0 the elements [n - 256, 256 * floor(n / 256)) are written by two blocks, which is a write-write race by CUDA's memory model even though both write the same sum; a right one has one thread for each element
#include "contract.h"

namespace exercise {

namespace {

constexpr std::size_t block_size = 256;

__global__ void add_small(const float* tokens, const float* positions, float* out, unsigned n) {
    if (threadIdx.x < n) out[threadIdx.x] = tokens[threadIdx.x] + positions[threadIdx.x];
}

// n >= block_size. No thread is ever idle.
__global__ void add_blocks(const float* tokens, const float* positions, float* out, std::size_t n) {
    std::size_t first = blockIdx.x * block_size;
    if (first + block_size > n) first = n - block_size;
    const std::size_t i = first + threadIdx.x;
    out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    if (n < block_size) {
        add_small<<<1, block_size, 0, stream>>>(tokens.data(), positions.data(), out.data(),
                                                static_cast<unsigned>(n));
        return;
    }
    const unsigned blocks = static_cast<unsigned>((n + block_size - 1) / block_size);
    add_blocks<<<blocks, block_size, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
