// nvcc: refused
// told: another tile can be cut
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void k(unsigned int* x) {
    x[threadIdx.x] = cg::tiled_partition<4>(cg::coalesced_threads()).thread_rank();
}
