// wrong: the lower half of a warp puts tokens into shared memory and the upper half adds its positions to them, without a __syncwarp between the write and the read: a race in every call with n > 0, though its values mostly come out right; a right one synchronises, or needs no shared memory
#include "contract.h"

namespace exercise {
namespace {

__global__ void add_by_halves(DeviceSpan<const float> tokens, DeviceSpan<const float> positions,
                              DeviceSpan<float> out) {
    __shared__ float handed[128];
    const unsigned lane = threadIdx.x % 32;
    const unsigned slot = threadIdx.x / 32 * 16 + lane % 16;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * 128 + slot;
    const bool inside = i < out.size();
    float position = 0;
    if (inside && lane < 16) handed[slot] = tokens[i];
    if (inside && lane >= 16) {
        position = positions[i];
        out[i] = handed[slot] + position;
    }
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    add_by_halves<<<static_cast<unsigned>((out.size() + 127) / 128), 256, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
