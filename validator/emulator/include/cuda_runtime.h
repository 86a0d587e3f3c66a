#pragma once

/// CUDA C++ for a CPU: what nvcc includes in front of every .cu file, with the meaning the emulator gives it.
/// A source must have gone through the rewriter (kernel launches, __shared__) before it includes this.

#if !defined(__GNUC__)
#error "the CUDA emulator needs GCC or Clang"
#endif

#define CUDA_EMULATOR 1
#define __CUDACC__ 1
#define __NVCC__ 1
// By which helpers of samples know that the runtime is there.
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0

#if defined(__CUDA__)
#include "cuda_emulator/editor.h"
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

// The names of these at global scope too, with their overloads, as nvcc declares them.
#include <math.h>
#include <stdlib.h>

#include "vector_types.h"

#include "cuda_emulator/host_copies.h"
#include "cuda_emulator/language.h"

#include "cuda_emulator/errors.h"

#include "cuda_emulator/api.h"
#include "cuda_emulator/host_variables.h"

#include "cuda_emulator/launch.h"
#include "cuda_emulator/members.h"

#include "cuda_emulator/kernels.h"

#include "cuda_emulator/atomics.h"

#include "cuda_emulator/threads.h"

#include "cuda_emulator/intrinsics.h"

#include "cuda_emulator/integers.h"

#include "cuda_emulator/pointers.h"

#include "cuda_emulator/mathematics.h"

#include "cuda_emulator/unsupported.h"
