// What the runtime gives to the host.
#include "features/feature.h"

#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

namespace {

__global__ void add(int* x, int a, int b) {
    x[threadIdx.x] += a * b;
}
bool launch_kernel() {
    Buffer<int> x({1, 2, 3, 4});
    int* data = x.data();
    int a = 2, b = 5;
    void* arguments[] = {&data, &a, &b};
    return cudaLaunchKernel((const void*)add, dim3(1), dim3(4), arguments, 0, 0) == cudaSuccess &&
           x.values() == std::vector<int>{11, 12, 13, 14};
}

bool launch_kernel_ex() {
    Buffer<int> x({1, 2});
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(2);
    return cudaLaunchKernelEx(&config, add, x.data(), 3, 4) == cudaSuccess &&
           x.values() == std::vector<int>{13, 14};
}

bool occupancy() {
    int blocks = 0, grid = 0, block = 0;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0) == cudaSuccess && blocks > 0 &&
           cudaOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 0) == cudaSuccess && block >= 32 &&
           grid > 0;
}

bool function_attributes() {
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, add) == cudaSuccess && attributes.maxThreadsPerBlock == 1024 &&
           cudaFuncSetCacheConfig(add, cudaFuncCachePreferL1) == cudaSuccess;
}

__global__ void fill_shared(int* x, int n) {
    extern __shared__ int large[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        large[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) *x = large[n - 1];
}
bool large_shared_memory() {
    Buffer<int> x(1);
    const int n = 16 * 1024;
    if (cudaFuncSetAttribute(fill_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, n * 4) != cudaSuccess)
        return false;
    fill_shared<<<1, 256, n * sizeof(int)>>>(x.data(), n);
    return x.values() == std::vector<int>{n - 1};
}

void CUDART_CB note(void* data) {
    *static_cast<int*>(data) += 1;
}
void CUDART_CB note_status(cudaStream_t, cudaError_t status, void* data) {
    *static_cast<int*>(data) += status == cudaSuccess ? 10 : 0;
}
bool host_functions() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int calls = 0;
    cudaLaunchHostFunc(stream, note, &calls);
    cudaStreamAddCallback(stream, note_status, &calls, 0);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return calls == 11;
}

bool pointer_attributes() {
    Buffer<int> x(1);
    cudaPointerAttributes attributes;
    return cudaPointerGetAttributes(&attributes, x.data()) == cudaSuccess &&
           attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == x.data();
}

bool stream_priority() {
    int least = 0, greatest = 0;
    cudaStream_t stream;
    if (cudaDeviceGetStreamPriorityRange(&least, &greatest) != cudaSuccess || greatest > least) return false;
    const bool made = cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest) == cudaSuccess;
    return made && cudaStreamDestroy(stream) == cudaSuccess;
}

bool mapped_memory() {
    int *host = nullptr, *device = nullptr;
    if (cudaHostAlloc(&host, 4 * sizeof(int), cudaHostAllocMapped) != cudaSuccess) return false;
    for (int i = 0; i < 4; ++i)
        host[i] = i;
    const bool mapped = cudaHostGetDevicePointer(&device, host, 0) == cudaSuccess;
    add<<<1, 4>>>(device, 1, 1);
    const bool ran = cudaDeviceSynchronize() == cudaSuccess && host[3] == 4;
    return cudaFreeHost(host) == cudaSuccess && mapped && ran;
}

bool registered_memory() {
    std::vector<int> host{1, 2, 3, 4};
    int* device = nullptr;
    if (cudaHostRegister(host.data(), 4 * sizeof(int), cudaHostRegisterMapped) != cudaSuccess) return false;
    const bool mapped = cudaHostGetDevicePointer(&device, host.data(), 0) == cudaSuccess;
    add<<<1, 4>>>(device, 2, 2);
    const bool ran = cudaDeviceSynchronize() == cudaSuccess && host[0] == 5;
    return cudaHostUnregister(host.data()) == cudaSuccess && mapped && ran;
}

__global__ void of_library(float* x) {
    cuda::std::array<float, 2> pair = {cuda::std::numeric_limits<float>::max(), 1.0f};
    x[0] = pair[0];
    x[1] = pair[1];
}
bool device_library() {
    Buffer<float> x(2);
    of_library<<<1, 1>>>(x.data());
    return x.values() == std::vector<float>{3.4028234663852886e38f, 1.0f};
}

__device__ int numbers[3];

__global__ void double_numbers() {
    numbers[threadIdx.x] *= 2;
}
bool symbols_on_streams() {
    cudaStream_t stream;
    int host[3] = {1, 2, 3};
    bool good =
        cudaStreamCreate(&stream) == cudaSuccess &&
        cudaMemcpyToSymbolAsync(numbers, host, sizeof host, 0, cudaMemcpyHostToDevice, stream) == cudaSuccess;
    double_numbers<<<1, 3, 0, stream>>>();
    good = good &&
           cudaMemcpyFromSymbolAsync(host, numbers, 2 * sizeof(int), sizeof(int), cudaMemcpyDeviceToHost,
                                     stream) == cudaSuccess &&
           cudaStreamSynchronize(stream) == cudaSuccess && host[0] == 4 && host[1] == 6;
    return cudaStreamDestroy(stream) == cudaSuccess && good;
}

bool pitched_memory() {
    void* memory = nullptr;
    std::size_t pitch = 0;
    unsigned char back[6] = {};
    bool good = cudaMallocPitch(&memory, &pitch, 3, 2) == cudaSuccess && pitch >= 3 &&
                cudaMemset2D(memory, pitch, 7, 3, 2) == cudaSuccess &&
                cudaMemset2DAsync(memory, pitch, 5, 2, 2) == cudaSuccess &&
                cudaMemcpy2D(back, 3, memory, pitch, 3, 1, cudaMemcpyDeviceToHost) == cudaSuccess &&
                cudaMemcpy2DAsync(back + 3, 3, static_cast<char*>(memory) + pitch, pitch, 3, 1,
                                  cudaMemcpyDeviceToHost) == cudaSuccess &&
                cudaDeviceSynchronize() == cudaSuccess;
    const unsigned char want[6] = {5, 5, 7, 5, 5, 7};
    for (int i = 0; i < 6; ++i)
        good = good && back[i] == want[i];
    return cudaFree(memory) == cudaSuccess && good;
}

bool profiler() {
    nvtxRangePushA("range");
    nvtxRangePop();
    return cudaProfilerStart() == cudaSuccess && cudaProfilerStop() == cudaSuccess;
}

bool limits() {
    std::size_t bytes = 0;
    return cudaDeviceGetLimit(&bytes, cudaLimitStackSize) == cudaSuccess && bytes > 0;
}

} // namespace

FEATURES({"launch-kernel", launch_kernel}, {"launch-kernel-ex", launch_kernel_ex}, {"occupancy", occupancy},
         {"function-attributes", function_attributes}, {"large-shared-memory", large_shared_memory},
         {"host-functions", host_functions}, {"pointer-attributes", pointer_attributes},
         {"stream-priority", stream_priority}, {"mapped-memory", mapped_memory},
         {"registered-memory", registered_memory}, {"device-library", device_library},
         {"pitched-memory", pitched_memory}, {"symbols-on-streams", symbols_on_streams},
         {"profiler", profiler}, {"limits", limits})
