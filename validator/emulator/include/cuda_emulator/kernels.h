#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

/// Kernels as values: launches without `<<<...>>>`, attributes and occupancy. The rewriter hands a kernel
/// over as a NamedKernel, also where the source says `(void*)kernel`.
namespace cuda_emulator {

template <class Function>
struct NamedKernel {
    const char* name;
    Function function;
};

template <class Function>
NamedKernel<std::decay_t<Function>> named(const char* name, Function&& function) {
    return {name, function};
}

template <class... Parameters, std::size_t... i>
auto read_arguments(void** arguments, std::index_sequence<i...>) {
    return std::tuple<std::decay_t<Parameters>...>(*static_cast<std::decay_t<Parameters>*>(arguments[i])...);
}

template <class... Parameters, class... Arguments>
cudaError_t launch(NamedKernel<void (*)(Parameters...)> kernel, Launch launch, Arguments&&... arguments) {
    launch.configuration.kernel = kernel.name;
    const auto call = [function = kernel.function](auto&... values) { function(values...); };
    const auto probed = [function = kernel.function](auto probe) { return probe(function); };
    launch.with(probed, call)(std::forward<Arguments>(arguments)...);
    return cudaPeekAtLastError();
}

template <class... Parameters>
cudaError_t launch_packed(NamedKernel<void (*)(Parameters...)> kernel, const Launch& how, void** arguments) {
    return std::apply([&](const auto&... values) { return launch(kernel, how, values...); },
                      read_arguments<Parameters...>(arguments, std::index_sequence_for<Parameters...>{}));
}

cudaError_t set_dynamic_shared_limit(int bytes);
cudaError_t resident_blocks(int* blocks, int block_size, std::size_t dynamic_shared);

} // namespace cuda_emulator

template <class Function>
cudaError_t cudaLaunchKernel(cuda_emulator::NamedKernel<Function> kernel, dim3 grid, dim3 block,
                             void** arguments, std::size_t dynamic_shared = 0, cudaStream_t stream = nullptr,
                             const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return cuda_emulator::launch_packed(
        kernel, cuda_emulator::Launch("", grid, block, dynamic_shared, stream, file, line), arguments);
}
template <class Function>
cudaError_t cudaLaunchCooperativeKernel(cuda_emulator::NamedKernel<Function> kernel, dim3 grid, dim3 block,
                                        void** arguments, std::size_t dynamic_shared = 0,
                                        cudaStream_t stream = nullptr, const char* file = __builtin_FILE(),
                                        int line = __builtin_LINE()) {
    cuda_emulator::Launch launch("", grid, block, dynamic_shared, stream, file, line);
    launch.configuration.cooperative = true;
    return cuda_emulator::launch_packed(kernel, launch, arguments);
}

enum cudaLaunchAttributeID { cudaLaunchAttributeIgnore = 0, cudaLaunchAttributeCooperative = 2 };
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute* attrs = nullptr;
    unsigned int numAttrs = 0;
};
template <class Function, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, cuda_emulator::NamedKernel<Function> kernel,
                               Arguments&&... arguments) {
    cuda_emulator::Launch launch("", config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                 config->stream, "", 0);
    for (unsigned int i = 0; i < config->numAttrs; ++i)
        if (config->attrs[i].id == cudaLaunchAttributeCooperative)
            launch.configuration.cooperative = config->attrs[i].val.cooperative != 0;
    return cuda_emulator::launch(kernel, launch, std::forward<Arguments>(arguments)...);
}

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxShared = 100,
    cudaSharedmemCarveoutMaxL1 = 0
};
/// There are no registers here, and shared memory has its place when a kernel runs: both are given as 0.
struct cudaFuncAttributes {
    std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
};
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel, cudaFuncAttribute attribute, int value) {
    return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize
               ? cuda_emulator::set_dynamic_shared_limit(value)
               : cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel, cudaFuncCache) {
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel) {
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = 48 * 1024;
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel, int block_size,
                                                          std::size_t dynamic_shared) {
    return cuda_emulator::resident_blocks(blocks, block_size, dynamic_shared);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel, std::size_t dynamic_shared = 0,
                                               int limit = 0) {
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    int resident = 0, multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const cudaError_t error = cuda_emulator::resident_blocks(&resident, *block, dynamic_shared);
    *grid = resident * multiprocessors;
    return error;
}
