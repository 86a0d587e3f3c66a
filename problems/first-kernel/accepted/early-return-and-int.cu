// accepted: threads without an element return first, and every number is an int
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_elements(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                             DeviceSpan<float> out) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= static_cast<int>(out.size())) return;
    out[i] = tokens[i] + positions[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const int n = static_cast<int>(out.size());
    if (n == 0) return;
    add_elements<<<(n - 1) / 1024 + 1, 1024, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
