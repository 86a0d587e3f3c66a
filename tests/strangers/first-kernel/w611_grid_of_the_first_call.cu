// wrong: the size of the grid is a static local and so that of the first call with elements; a later call that needs more blocks leaves its last elements unwritten; in a right one it follows from this call's n
#include "contract.h"

namespace exercise {

namespace {

__global__ void add_elements(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

struct Launch {
    unsigned threads;
    unsigned blocks;

    explicit Launch(std::size_t n) {
        threads = n < 4096 ? 128 : 256;
        blocks = static_cast<unsigned>((n + threads - 1) / threads);
    }
};

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    static const Launch launch(out.size()); // worked out only once
    add_elements<<<launch.blocks, launch.threads, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
