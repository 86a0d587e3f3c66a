#pragma once

/// CUDA's words beyond C++. `__shared__` and `<<<...>>>` never get here: the rewriter turns them into C++
/// first, and
/// `__noinline__` too, which as a macro would break the standard library's own attributes.

#if !defined(__CUDA__) // else cuda_emulator/editor.h has defined them
#define __host__
#define __device__
#if defined(__SANITIZE_THREAD__)
// GCC does not see what a call passes or returns by value in memory: in a trace, kernels call as little as
// can be.
#define __global__ __attribute__((flatten))
#else
#define __global__
#endif
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __shared__                                                                                           \
    _Pragma("GCC error \"__shared__ hidden in a macro: write __shared__ out in front of the variable\"")
#endif

#define __grid_constant__
#define __nv_pure__
#define CUDART_CB
#define CUDARTAPI
#if !defined(__clang__)
#define __builtin_assume(condition) static_cast<void>(0)
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __cluster_dims__(...) _Pragma("GCC error \"the emulator has no thread block clusters\"")

/// Library functions of the emulator are inlined into the line that uses them, so that a trace names that
/// line.
#define CUDA_EMULATOR_DEVICE __device__ inline __attribute__((always_inline))
#define CUDA_EMULATOR_INLINE __host__ __device__ inline __attribute__((always_inline))

// What a thread knows about itself. Constant for the thread that reads it; the scheduler changes the storage
// between threads.
extern const uint3 threadIdx __asm__("cuda_emulator_thread_index");
extern const uint3 blockIdx __asm__("cuda_emulator_block_index");
extern const dim3 blockDim __asm__("cuda_emulator_block_size");
extern const dim3 gridDim __asm__("cuda_emulator_grid_size");
constexpr int warpSize = 32;
