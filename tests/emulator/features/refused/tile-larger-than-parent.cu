// nvcc: refused
// told: no more threads than
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void k(unsigned int* x) {
    const auto half = cg::tiled_partition<16>(cg::this_thread_block());
    x[threadIdx.x] = cg::tiled_partition<32>(half).thread_rank();
}
