// Fault: From 262,145 elements on each thread adds a run of consecutive elements, so neighbouring threads do not
//  access neighbouring elements.
// Origin: round 18
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

constexpr unsigned threads_per_block = 256;

unsigned blocks_for(std::size_t threads) {
    return static_cast<unsigned>((threads + threads_per_block - 1) / threads_per_block);
}

constexpr std::size_t most_blocks = 1024; // enough to fill any device

__global__ void add_runs(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                         DeviceSpan<float> out, std::size_t per_thread) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t first = thread * per_thread;
    for (std::size_t i = first; i < first + per_thread && i < out.size(); ++i)
        out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    constexpr std::size_t most_threads = most_blocks * threads_per_block;
    const std::size_t per_thread = (n + most_threads - 1) / most_threads;
    const std::size_t threads = (n + per_thread - 1) / per_thread;
    add_runs<<<blocks_for(threads), threads_per_block, 0, stream>>>(tokens, positions, out, per_thread);
}

} // namespace exercise
