#pragma once

/// There is no profiler to start.

#include "cuda_runtime.h"

inline cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}
inline cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}
