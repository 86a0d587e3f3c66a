// accepted: blocks of two dimensions, plain pointers, and the addition as an intrinsic
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_elements(const float* tokens, const float* positions, float* out, unsigned int n) {
    const unsigned int place = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned int i = blockIdx.x * (blockDim.x * blockDim.y) + place;
    if (i < n) out[i] = __fadd_rn(tokens[i], positions[i]);
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const auto n = static_cast<unsigned int>(out.size());
    if (n == 0) return;
    const dim3 block(32, 6);
    add_elements<<<(n + 191) / 192, block, 0, stream>>>(tokens.data(), positions.data(), out.data(), n);
}

} // namespace exercise
