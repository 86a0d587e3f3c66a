// wrong: the launch shape is a static constant computed in the first call that has elements, so a later call with more blocks' worth of elements leaves the rest unwritten; a right one computes it in each call
#include "contract.h"

namespace exercise {
namespace {

constexpr unsigned threads = 128;

__global__ void add_kernel(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                           DeviceSpan<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.size() == 0) return;
    static const dim3 grid(static_cast<unsigned>((out.size() + threads - 1) / threads));
    add_kernel<<<grid, threads, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
