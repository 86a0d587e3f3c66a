// right: blocks of 32 x 8 threads in a grid that is a plane (at most 1,000 blocks wide), one kernel template for any operation
#include "contract.h"

namespace exercise {

namespace {

struct Plus {
    __device__ float operator()(float a, float b) const { return a + b; }
};

constexpr unsigned wide = 32, high = 8, most_across = 1000;

template <class Operation>
__global__ void combine(DeviceSpan<const float> left, DeviceSpan<const float> right, DeviceSpan<float> result,
                        Operation operation) {
    const std::size_t block = static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x;
    const std::size_t i = block * (wide * high) + threadIdx.y * wide + threadIdx.x;
    if (i >= result.size()) return;
    result[i] = operation(left[i], right[i]);
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    const std::size_t per_block = wide * high;
    const std::size_t blocks = (out.size() - 1) / per_block + 1;
    const unsigned across = blocks < most_across ? static_cast<unsigned>(blocks) : most_across;
    const unsigned down = static_cast<unsigned>((blocks - 1) / across + 1);
    combine<<<dim3(across, down), dim3(wide, high), 0, stream>>>(tokens, positions, out, Plus{});
}

} // namespace exercise
