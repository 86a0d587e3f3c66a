// requires: sm_80
#include "kernels/warp_reduce.h"

#include "kernels/device_vector.h"

static __global__ void reduce_kernel(int* out) {
    const int lane = threadIdx.x;
    out[lane * 3] = __reduce_add_sync(0xffffffffu, lane - 16);
    out[lane * 3 + 1] = __reduce_min_sync(0xffffffffu, lane - 16);
    out[lane * 3 + 2] = __reduce_max_sync(0xffffffffu, lane - 16);
}

std::vector<int> warp_reduce() {
    const DeviceVector<int> out(32 * 3);
    reduce_kernel<<<1, 32>>>(out.data());
    return out.host();
}
