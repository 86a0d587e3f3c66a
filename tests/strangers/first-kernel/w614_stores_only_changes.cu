// wrong: an element is stored only where it differs (!=) from what out holds, so a sum of -0.0 is not written over a +0.0 that was there (nor +0.0 over -0.0), and out is read for nothing; in a right one what out held before does not matter
#include "contract.h"

namespace exercise {

namespace {

__global__ void update(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * 256 + warp * 32 + lane;
    if (i >= out.size()) return;
    const float sum = tokens[i] + positions[i];
    float& old = out[i];
    if (old != sum) old = sum;
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t blocks = (out.size() + 255) / 256;
    if (blocks != 0) update<<<static_cast<unsigned>(blocks), 256, 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
