// wrong: lays its one-warp blocks along y, where a grid has at most 65,535, so the launch is refused and nothing is written where n > 2,097,120; a right one lays them along x
#include "contract.h"

namespace exercise {
namespace {

struct Sum {
    const float* left;
    const float* right;
    float* result;
    std::size_t count;
};

__global__ void warp_each(Sum sum) {
    const std::size_t i = blockIdx.y * std::size_t{32} + threadIdx.x;
    if (i < sum.count) sum.result[i] = sum.left[i] + sum.right[i];
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const Sum sum{tokens.data(), positions.data(), out.data(), out.size()};
    const dim3 grid(1, static_cast<unsigned>((sum.count + 31) / 32));
    if (grid.y != 0) warp_each<<<grid, 32, 0, stream>>>(sum);
}

} // namespace exercise
