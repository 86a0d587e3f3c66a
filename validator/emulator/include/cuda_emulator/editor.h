#pragma once

/// CUDA's words for an editor: clangd reads a .cu file as CUDA (`__CUDA__`), before any rewriting, on a
/// machine that may have no CUDA installation. So these are Clang's own attributes, and it knows what they
/// allow. No program is ever built this way.

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#if __clang_major__ < 15
// A keyword since. Empty, because the standard library writes it inside of its own attributes.
#define __noinline__
#endif

#include <cstddef>

#include "vector_types.h"

// What Clang looks up for `kernel<<<grid, block, bytes, stream>>>(...)`: the second for old releases of CUDA.
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t bytes = 0,
                                                    struct CUstream_st* stream = nullptr);
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, std::size_t bytes = 0,
                                 struct CUstream_st* stream = nullptr);

// The part of the C library that a kernel may call. Clang brings the overloads for float and double.
#include <__clang_cuda_math_forward_declares.h>

#define CUDA_EDITOR_MATHEMATICS(one, two)                                                                    \
    one(acosf) one(acoshf) one(asinf) one(asinhf) one(atanf) one(atanhf) one(cbrtf) one(ceilf) one(cosf)     \
        one(coshf) one(erff) one(erfcf) one(expf) one(exp2f) one(expm1f) one(fabsf) one(floorf) one(lgammaf) \
            one(logf) one(log10f) one(log1pf) one(log2f) one(logbf) one(nearbyintf) one(rintf) one(roundf)   \
                one(sinf) one(sinhf) one(sqrtf) one(tanf) one(tanhf) one(tgammaf) one(truncf) two(atan2f)    \
                    two(copysignf) two(fdimf) two(fmaxf) two(fminf) two(fmodf) two(hypotf) two(nextafterf)   \
                        two(powf) two(remainderf)
#define CUDA_EDITOR_ONE(name) __device__ float name(float);
#define CUDA_EDITOR_TWO(name) __device__ float name(float, float);
CUDA_EDITOR_MATHEMATICS(CUDA_EDITOR_ONE, CUDA_EDITOR_TWO)
#undef CUDA_EDITOR_MATHEMATICS
#undef CUDA_EDITOR_ONE
#undef CUDA_EDITOR_TWO
__device__ float fmaf(float, float, float);

extern "C" {
__device__ int printf(const char*, ...);
__device__ void* memcpy(void*, const void*, std::size_t);
__device__ void* memset(void*, int, std::size_t);
}
