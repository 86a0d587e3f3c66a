// wrong: waits with cudaStreamSynchronize after the launch, "so that an error shows here", in every call with elements; the numbers are right; a right one launches and returns without waiting
#include "contract.h"

#include <cstdio>

namespace exercise {

namespace {

void check(cudaError_t error) {
    if (error != cudaSuccess) std::fprintf(stderr, "add: %s\n", cudaGetErrorString(error));
}

__global__ void sum(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < out.size()) out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    const unsigned blocks = static_cast<unsigned>((out.size() + 255) / 256);
    sum<<<blocks, 256, 0, stream>>>(tokens, positions, out);
    check(cudaPeekAtLastError());
    check(cudaStreamSynchronize(stream));
}

} // namespace exercise
