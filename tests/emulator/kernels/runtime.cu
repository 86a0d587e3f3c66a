#include "kernels/runtime.h"

#include "kernels/device_vector.h"

#include <cassert>

namespace kernels {

namespace {

__global__ void nothing() {}

__global__ void failing(int v) {
    assert(v == 1);
}

__global__ void append_digit(int* number, int digit) {
    *number = 10 * *number + digit;
}

extern __shared__ float dynamic[];

__global__ void count_nan(const float* fresh, int* count) {
    __shared__ float fixed[4];
    const int t = threadIdx.x;
    if (fresh[t] != fresh[t]) atomicAdd(count, 1);
    if (fixed[t] != fixed[t]) atomicAdd(count, 1);
    if (dynamic[t] != dynamic[t]) atomicAdd(count, 1);
    __syncthreads();
    fixed[t] = dynamic[t] = 0.0f;
}

} // namespace

void launch_nothing(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
    nothing<<<grid, block, shared, stream>>>();
}

void launch_failing() {
    failing<<<1, 1>>>(2);
}

void launch_append_digit(int* number, int digit, cudaStream_t stream) {
    append_digit<<<1, 1, 0, stream>>>(number, digit);
}

bool fresh_values_are_nan() {
    const DeviceVector<float> fresh(4);
    const DeviceVector<int> count(std::vector<int>{0});
    count_nan<<<2, 4, 4 * sizeof(float)>>>(fresh.data(), count.data());
    return count.host()[0] == 2 * 3 * 4;
}

} // namespace kernels
