// wrong: beyond 2^22 elements each thread takes a run of consecutive ones, so neighbouring threads do not read and write neighbouring elements
#include "contract.h"

#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < out.size()) {
        out[i] = tokens[i] + positions[i];
    }
}

__global__ void add_runs(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out, std::size_t run) {
    const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::size_t first = thread * run;
    for (std::size_t i = first; i < first + run && i < out.size(); ++i) {
        out[i] = tokens[i] + positions[i];
    }
}

constexpr std::size_t most_threads = std::size_t{1} << 22;

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) {
        return;
    }
    if (n > most_threads) { // so many threads keep any device busy
        const std::size_t run = (n + most_threads - 1) / most_threads;
        add_runs<<<static_cast<unsigned>(most_threads / 256), 256, 0, stream>>>(tokens, positions, out, run);
        return;
    }
    const auto blocks = static_cast<unsigned>((n + 255) / 256);
    add_kernel<<<blocks, 256, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
