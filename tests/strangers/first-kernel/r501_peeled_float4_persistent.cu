// right: a grid of limited size whose threads stride over float4 quads where all three pointers are equally far from 16 bytes, with the peeled head and tail as one more stride loop; where they are not, that loop does everything.
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace exercise {
namespace {

constexpr unsigned block_threads = 256;
constexpr std::size_t most_blocks = 4096;

/// Elements [head, head + 4 * quads) are taken four at a time, the others one by one.
struct Plan {
    std::size_t head = 0;
    std::size_t quads = 0;
    std::size_t singles = 0;
};

std::size_t past_16(const float* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 16;
}

Plan plan_of(const float* a, const float* b, const float* sum, std::size_t n) {
    Plan plan{0, 0, n};
    const std::size_t past = past_16(sum);
    if (past_16(a) != past || past_16(b) != past) return plan;
    plan.head = std::min(n, (16 - past) % 16 / sizeof(float));
    plan.quads = (n - plan.head) / 4;
    plan.singles = n - 4 * plan.quads;
    return plan;
}

template <class F>
__device__ void stride_over(std::size_t count, F body) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        body(i);
}

struct AddQuad {
    const float4* a;
    const float4* b;
    float4* sum;

    __device__ void operator()(std::size_t q) const {
        const float4 x = a[q];
        const float4 y = b[q];
        sum[q] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
};

struct AddSingle {
    const float* a;
    const float* b;
    float* sum;
    Plan plan;

    __device__ void operator()(std::size_t i) const {
        const std::size_t at = i < plan.head ? i : i + 4 * plan.quads;
        sum[at] = a[at] + b[at];
    }
};

__global__ void add_planned(const float* a, const float* b, float* sum, Plan plan) {
    if (plan.quads > 0) {
        stride_over(plan.quads, AddQuad{reinterpret_cast<const float4*>(a + plan.head),
                                        reinterpret_cast<const float4*>(b + plan.head),
                                        reinterpret_cast<float4*>(sum + plan.head)});
    }
    stride_over(plan.singles, AddSingle{a, b, sum, plan});
}

} // namespace

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const Plan plan = plan_of(tokens.data(), positions.data(), out.data(), n);
    const std::size_t turns = std::max(plan.quads, plan.singles);
    const std::size_t blocks = std::min(most_blocks, (turns + block_threads - 1) / block_threads);
    add_planned<<<static_cast<unsigned>(blocks), block_threads, 0, stream>>>(tokens.data(), positions.data(),
                                                                            out.data(), plan);
}

} // namespace exercise
