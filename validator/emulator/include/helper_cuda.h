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

inline int findCudaDevice(int, const char**) {
    return 0;
}
inline int gpuGetMaxGflopsDeviceId() {
    return 0;
}
