#include "kernels/polling.h"

#include "kernels/device_vector.h"

namespace polling {

namespace {

__global__ void hand_over(volatile int* turn, int rounds) {
    if (threadIdx.x != 0) return;
    for (int round = 0; round < rounds; ++round) {
        int now = 0;
        do {
            now = *turn;
        } while (now % 2 != blockIdx.x);
        *turn = now + 1;
    }
}

__global__ void look_often(const volatile int* flag, int looks, int* out) {
    int seen = 0;
    while (*flag == 0) {
        if (++seen == looks) break;
    }
    *out = seen;
}

__global__ void add_nothing(float* sum, int times) {
    for (int i = 0; i < times; ++i)
        atomicAdd(sum, 0.0f);
}

__global__ void swap_neighbours(int* out) {
    out[threadIdx.x] = __shfl_xor_sync(~0u, static_cast<int>(threadIdx.x), 1);
}

template <class T>
int waited(const DeviceVector<T>& result, T expected) {
    if (const cudaError_t error = cudaDeviceSynchronize()) return error;
    return result.host()[0] == expected ? 0 : -1;
}

} // namespace

int handing_over(int rounds) {
    DeviceVector<int> turn(1);
    turn.clear();
    hand_over<<<2, 1024>>>(turn.data(), rounds);
    return waited(turn, 2 * rounds);
}

int bounded(int looks) {
    DeviceVector<int> flag(1), out(1);
    flag.clear();
    look_often<<<2, 64>>>(flag.data(), looks, out.data());
    return waited(out, looks);
}

int adding_nothing(int times) {
    DeviceVector<float> sum(1);
    sum.clear();
    add_nothing<<<4, 64>>>(sum.data(), times);
    return waited(sum, 0.0f);
}

int shuffled() {
    DeviceVector<int> out(64);
    swap_neighbours<<<1, 64>>>(out.data());
    return waited(out, 1);
}

} // namespace polling
