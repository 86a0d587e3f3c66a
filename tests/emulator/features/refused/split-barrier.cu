// nvcc: legal
// told: does not split barriers
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void k(unsigned int* x) {
    const auto block = cg::this_thread_block();
    auto token = block.barrier_arrive();
    x[threadIdx.x] = threadIdx.x;
    block.barrier_wait(static_cast<decltype(token)&&>(token));
}
