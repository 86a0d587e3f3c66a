#pragma once

#include <cstdint>
#include <vector>

/// The standard repertoire of CUDA courses. Each function copies its input to the device, runs its kernels
/// there and brings the result back; it throws std::runtime_error with CUDA's words if a call fails.
namespace textbook {

/// Sum by trees in shared memory, one per block, then over the blocks.
float reduce(const std::vector<float>& v);
/// Sum by warp shuffles and one atomic per block.
int reduce_shuffle(const std::vector<int>& v);
/// Inclusive prefix sums: Hillis and Steele in a block, then the blocks' totals.
std::vector<int> scan(const std::vector<int>& v);
/// The transpose of a rows x cols matrix, through a padded tile.
std::vector<float> transpose(const std::vector<float>& m, int rows, int cols);
/// Occurrences of each byte: counted in shared memory, added up in global memory.
std::vector<unsigned int> histogram(const std::vector<unsigned char>& v);
/// a (n x k) times b (k x m), in tiles of 16 x 16 held in dynamic shared memory.
std::vector<float> matmul(const std::vector<float>& a, const std::vector<float>& b, int n, int k, int m);
/// Sorts each run of 32 values by a bitonic network of shuffles. The size is a multiple of 32.
std::vector<int> sort_warps(const std::vector<int>& v);
/// One stable counting pass over 4 bits of the keys, in one block of 256 threads; at most 4096 keys.
std::vector<std::uint32_t> radix_pass(const std::vector<std::uint32_t>& keys, int shift);
/// The number that the last block to finish adds up: partial sums, a fence and an atomic ticket.
float reduce_last_block(const std::vector<float>& v);
/// bfloat16 copies of a + b, rounded once; and half ones.
std::vector<std::uint16_t> add_bfloat16(const std::vector<float>& a, const std::vector<float>& b);
std::vector<std::uint16_t> add_half(const std::vector<float>& a, const std::vector<float>& b);

/// False if no device answers, as on a machine without a GPU when not emulated.
bool device_present();

} // namespace textbook
