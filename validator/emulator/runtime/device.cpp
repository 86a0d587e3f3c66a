#include "runtime/block.h"
#include "runtime/errors.h"
#include "runtime/findings.h"
#include "runtime/grid.h"
#include "runtime/memory.h"
#include "runtime/observer.h"
#include "runtime/order.h"
#include "runtime/promises.h"
#include "runtime/streams.h"

#include "emulator/worker.h"

#include <cstring>
#include <utility>

/// The one device there is. Its numbers are those of a small device of compute capability 9.0.
namespace {

constexpr int only_device = 0;

cudaDeviceProp describe() {
    cudaDeviceProp p{};
    std::strcpy(p.name, "CUDA emulator (no GPU)");
    p.totalGlobalMem = cuda_emulator::device_memory;
    p.sharedMemPerBlock = cuda_emulator::shared_limit;
    p.sharedMemPerBlockOptin = p.sharedMemPerMultiprocessor = cuda_emulator::shared_limit_optin;
    p.totalConstMem = 64 * 1024;
    p.memPitch = cuda_emulator::max_pitch;
    p.regsPerBlock = 65536;
    p.warpSize = warpSize;
    p.maxThreadsPerBlock = static_cast<int>(cuda_emulator::max_threads);
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7fffffff;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.major = 9;
    p.cooperativeLaunch = 1;
    p.multiProcessorCount = static_cast<int>(cuda_emulator::multiprocessors);
    p.maxThreadsPerMultiProcessor = 2048;
    p.maxBlocksPerMultiProcessor = 32;
    p.l2CacheSize = 4 << 20;
    p.memoryBusWidth = 256;
    p.unifiedAddressing = p.managedMemory = p.canMapHostMemory = p.concurrentKernels = 1;
    p.concurrentManagedAccess = p.streamPrioritiesSupported = 1;
    p.asyncEngineCount = 1;
    return p;
}

int attribute_of(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX: return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY: return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ: return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock: return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory: return static_cast<int>(p.totalConstMem);
    case cudaDevAttrWarpSize: return p.warpSize;
    case cudaDevAttrMaxRegistersPerBlock: return p.regsPerBlock;
    case cudaDevAttrClockRate: return 1'980'000; // kHz, of an H200
    case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
    case cudaDevAttrKernelExecTimeout: return 0;
    case cudaDevAttrIntegrated: return p.integrated;
    case cudaDevAttrCanMapHostMemory: return p.canMapHostMemory;
    case cudaDevAttrComputeMode: return cudaComputeModeDefault;
    case cudaDevAttrConcurrentKernels: return p.concurrentKernels;
    case cudaDevAttrEccEnabled: return p.ECCEnabled;
    case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize: return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
    case cudaDevAttrUnifiedAddressing: return p.unifiedAddressing;
    case cudaDevAttrComputeCapabilityMajor: return p.major;
    case cudaDevAttrComputeCapabilityMinor: return p.minor;
    case cudaDevAttrStreamPrioritiesSupported: return p.streamPrioritiesSupported;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrManagedMemory: return p.managedMemory;
    case cudaDevAttrPageableMemoryAccess: return p.pageableMemoryAccess;
    case cudaDevAttrConcurrentManagedAccess: return p.concurrentManagedAccess;
    case cudaDevAttrCooperativeLaunch: return p.cooperativeLaunch;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
    }
    return -1;
}

} // namespace

using namespace cuda_emulator;

cudaError_t cudaGetDeviceCount(int* count) {
    const Call call;
    if (call.broken()) return call.broken();
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
    const Call call;
    if (call.broken()) return call.broken();
    *device = only_device;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    const Call call;
    if (call.broken()) return call.broken();
    return device == only_device ? cudaSuccess : finish(cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    const Call call;
    if (call.broken()) return call.broken();
    if (device != only_device) return finish(cudaErrorInvalidDevice);
    *properties = describe();
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    const Call call;
    if (call.broken()) return call.broken();
    if (device != only_device) return finish(cudaErrorInvalidDevice);
    *value = attribute_of(describe(), attribute);
    return *value < 0 ? finish(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    const Call call;
    if (call.broken()) return call.broken();
    constexpr unsigned int known = 0x1f;
    return (flags & ~known) == 0 ? cudaSuccess : finish(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceReset() {
    const Call call;
    forget_streams();
    free_everything();
    forget_errors();
    return cudaSuccess;
}

namespace {

std::size_t limit_of(cudaLimit limit) {
    switch (limit) {
    case cudaLimitStackSize: return FiberPool::stack_bytes;
    case cudaLimitPrintfFifoSize: return std::size_t{1} << 20;
    case cudaLimitMallocHeapSize:
    case cudaLimitPersistingL2CacheSize: break;
    }
    return 0;
}

} // namespace

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    const Call call;
    if (call.broken()) return call.broken();
    *value = limit_of(limit);
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    const Call call;
    if (call.broken()) return call.broken();
    return value <= limit_of(limit) ? cudaSuccess : finish(cudaErrorInvalidValue);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

namespace emulator {

Trace take_trace() {
    const Call call;
    finish_all_streams();
    Trace trace;
    if (observer) observer->fill(trace);
    trace.findings = take_findings();
    trace.counters = std::exchange(counters, {});
    return trace;
}

void adopt(void* memory, std::size_t bytes) {
    const Call call;
    add_foreign(memory, bytes, MemoryKind::adopted);
}

void watch_kernels(void (*watcher)(const char* kernel, int line)) {
    kernel_watcher = watcher;
}

void shift_orders(std::uint32_t by) {
    cuda_emulator::shift_orders(by);
}

bool order_mattered() {
    return cuda_emulator::order_mattered();
}

void call_begins(const void* stream) {
    begin_promise(static_cast<cudaStream_t>(const_cast<void*>(stream)));
}

std::uint64_t call_ends() {
    return end_promise();
}

void keep(const void* memory) {
    if (cuda_emulator::observer) cuda_emulator::observer->kept(memory);
}

void give(const void* first, std::size_t rows, std::size_t row_bytes, std::size_t stride_bytes) {
    if (!cuda_emulator::observer || row_bytes == 0) return;
    if (row_bytes == stride_bytes) return cuda_emulator::observer->given(first, rows * row_bytes);
    for (std::size_t r = 0; r < rows; ++r)
        cuda_emulator::observer->given(static_cast<const char*>(first) + r * stride_bytes, row_bytes);
}

void reset_device() {
    cudaDeviceReset();
    Trace forgotten = take_trace();
    static_cast<void>(forgotten);
}

} // namespace emulator
