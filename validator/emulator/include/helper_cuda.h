#pragma once

/// The names of the CUDA samples' helper_cuda.h that programs use.

#include "cuda_runtime.h"

inline const char* _cudaGetErrorEnum(cudaError_t error) {
    return cudaGetErrorName(error);
}

namespace cuda_emulator {
inline void check_call(cudaError_t result, const char* call, const char* file, int line) {
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, static_cast<int>(result),
                 cudaGetErrorName(result), call);
    std::exit(EXIT_FAILURE);
}
inline void check_last(const char* message, const char* file, int line) {
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
                 static_cast<int>(error), cudaGetErrorString(error));
    std::exit(EXIT_FAILURE);
}
} // namespace cuda_emulator

#define checkCudaErrors(call) cuda_emulator::check_call((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) cuda_emulator::check_last((message), __FILE__, __LINE__)

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/// Cores of a multiprocessor, and the name of its generation. Only the one device that there is, is asked
/// for.
inline int _ConvertSMVer2Cores(int, int) {
    return 128;
}
inline const char* _ConvertSMVer2ArchName(int, int) {
    return "Hopper";
}

inline int gpuDeviceInit(int device) {
    if (device > 0) return -device;
    checkCudaErrors(cudaSetDevice(0));
    return 0;
}
inline int gpuGetMaxGflopsDeviceId() {
    return 0;
}
inline int findCudaDevice(int, const char**) {
    return gpuDeviceInit(gpuGetMaxGflopsDeviceId());
}
/// No device of the system shares the memory of the host.
inline int findIntegratedGPU() {
    return -1;
}
inline bool checkCudaCapabilities(int major, int minor) {
    int own_major = 0, own_minor = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&own_major, cudaDevAttrComputeCapabilityMajor, 0));
    checkCudaErrors(cudaDeviceGetAttribute(&own_minor, cudaDevAttrComputeCapabilityMinor, 0));
    return own_major > major || (own_major == major && own_minor >= minor);
}
