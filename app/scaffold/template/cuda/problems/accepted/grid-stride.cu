// accepted: FILL IN: how it differs from the reference; then at least three more variants, a file each
#include "contract.h"

namespace exercise {
namespace {

__global__ void scale_elements(DeviceSpan<const float> in, float scale, DeviceSpan<float> out) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < in.size(); i += step)
        out[i] = scale * in[i];
}

} // namespace

Status copy_scaled(DeviceSpan<const float> in, float scale, DeviceSpan<float> out, cudaStream_t stream) {
    if (out.size() != in.size()) return {Code::shape_mismatch};
    if (in.empty()) return {};
    scale_elements<<<2, 64, 0, stream>>>(in, scale, out);
    return {};
}

} // namespace exercise
