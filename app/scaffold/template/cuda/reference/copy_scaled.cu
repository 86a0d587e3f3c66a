#include "contract.h"

namespace exercise {
namespace {

// FILL IN: the kernel as a learner would write it, one thread an element
__global__ void scale_elements(DeviceSpan<const float> in, float scale, DeviceSpan<float> out) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < in.size()) out[i] = scale * in[i];
}

} // namespace

Status copy_scaled(DeviceSpan<const float> in, float scale, DeviceSpan<float> out, cudaStream_t stream) {
    if (out.size() != in.size()) return {Code::shape_mismatch};
    if (in.empty()) return {};
    constexpr unsigned int block = 128;
    const auto grid = static_cast<unsigned int>((in.size() + block - 1) / block);
    scale_elements<<<grid, block, 0, stream>>>(in, scale, out);
    return {};
}

} // namespace exercise
