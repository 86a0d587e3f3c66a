// right: each block reads its tokens into shared memory beginning at a 32-byte boundary, whatever the address, and after a barrier that all threads reach (cooperative groups) takes them from there, shifted
#include "contract.h"

#include <cooperative_groups.h>

#include <cstdint>

namespace exercise {

namespace {

constexpr int block_size = 256;
constexpr int sector = 8; // floats

__global__ void add_shifted(const float* tokens, const float* positions, float* out, long long n, int shift) {
    __shared__ float tile[block_size + sector];
    const auto block = cooperative_groups::this_thread_block();
    const int me = static_cast<int>(block.thread_rank());
    const long long first = static_cast<long long>(blockIdx.x) * block_size;
    const long long last = first + block_size < n ? first + block_size : n; // one past
    // tile[k] is the element first - shift + k; those of other blocks are left out
    for (int k = me; k < block_size + shift; k += block_size) {
        const long long from = first - shift + k;
        if (from >= first && from < last) tile[k] = tokens[from];
    }
    block.sync();
    const long long i = first + me;
    if (i < last) out[i] = tile[me + shift] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const long long n = static_cast<long long>(out.size());
    if (n == 0) return;
    const int shift =
        static_cast<int>(reinterpret_cast<std::uintptr_t>(tokens.data()) / sizeof(float) % sector);
    const unsigned blocks = static_cast<unsigned>((n + block_size - 1) / block_size);
    add_shifted<<<blocks, block_size, 0, stream>>>(tokens.data(), positions.data(), out.data(), n, shift);
}

} // namespace exercise
