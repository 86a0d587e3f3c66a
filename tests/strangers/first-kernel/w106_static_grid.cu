// wrong: the number of blocks is computed once, in the first call with n > 0, so a later call with more elements than those blocks have threads leaves its end unwritten
#include "contract.h"

namespace exercise {
namespace {

constexpr std::size_t per_block = 192;

template <class A, class B, class C>
__global__ void plus_kernel(A a, B b, C c) {
    const std::size_t i = blockIdx.x * per_block + threadIdx.x;
    if (i < c.size()) c[i] = a[i] + b[i];
}

struct Plan {
    unsigned blocks;
    explicit Plan(std::size_t n) : blocks(static_cast<unsigned>((n + per_block - 1) / per_block)) {}
};

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    if (out.empty()) return;
    static const Plan plan(out.size());
    plus_kernel<<<plan.blocks, static_cast<unsigned>(per_block), 0, stream>>>(tokens, positions, out);
}

} // namespace exercise
