// Asks a GPU whether it works, in the sandbox of a worker, with no line of a learner's in the process. Prints
// what it is, a line a fact, and last either "works" or the error that keeps it from it.
#include <cstdio>
#include <cuda_runtime.h>

namespace {

__global__ void double_all(int* values, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) values[i] *= 2;
}

bool refused(cudaError_t error) {
    if (error == cudaSuccess) return false;
    std::printf("error %s %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    return true;
}

/// What a call of a submission needs: memory, a copy each way, and a kernel.
bool works() {
    constexpr int count = 1000;
    int values[count];
    for (int i = 0; i < count; ++i)
        values[i] = i;
    int* on_device = nullptr;
    if (refused(cudaMalloc(&on_device, sizeof values)) ||
        refused(cudaMemcpy(on_device, values, sizeof values, cudaMemcpyHostToDevice)))
        return false;
    double_all<<<(count + 255) / 256, 256>>>(on_device, count);
    if (refused(cudaGetLastError()) || refused(cudaDeviceSynchronize()) ||
        refused(cudaMemcpy(values, on_device, sizeof values, cudaMemcpyDeviceToHost)))
        return false;
    for (int i = 0; i < count; ++i)
        if (values[i] != 2 * i) {
            std::printf("error wrong_result element %d is %d and should be %d\n", i, values[i], 2 * i);
            return false;
        }
    return !refused(cudaFree(on_device));
}

} // namespace

int main() {
    int driver = 0;
    int runtime = 0;
    if (refused(cudaDriverGetVersion(&driver)) || refused(cudaRuntimeGetVersion(&runtime))) return 1;
    std::printf("cuda %d %d\n", driver, runtime);
    int count = 0;
    if (refused(cudaGetDeviceCount(&count))) return 1;
    cudaDeviceProp properties{};
    int clock_khz = 0;
    if (refused(cudaGetDeviceProperties(&properties, 0)) ||
        refused(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0)))
        return 1;
    std::printf("capability %d %d\nclock_mhz %d\nmemory_mib %llu\nname %s\n", properties.major,
                properties.minor, clock_khz / 1000,
                static_cast<unsigned long long>(properties.totalGlobalMem >> 20), properties.name);
    if (!works()) return 1;
    std::puts("works");
    return 0;
}
