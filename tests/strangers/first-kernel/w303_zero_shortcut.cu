// wrong: where the position's number is zero the token's number is copied instead of added: -0 plus +0 gives -0, and not +0
#include "contract.h"

namespace {

__global__ void add_kernel(contract::DeviceSpan<const float> tokens, contract::DeviceSpan<const float> positions, contract::DeviceSpan<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= out.size()) return;
    float sum = tokens[i];
    const float position = positions[i];
    if (position != 0.0f) sum += position; // x + 0 is x
    out[i] = sum;
}

} // namespace

namespace exercise {

void add(contract::DeviceSpan<const float> tokens, contract::DeviceSpan<const float> positions, contract::DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    const unsigned threads = 128;
    const unsigned blocks = static_cast<unsigned>((out.size() + threads - 1) / threads);
    add_kernel<<<blocks, threads, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
