#pragma once

/// What a program's .cpp file begins with, in place of cuda_runtime.h, which nvcc includes in .cu files only:
/// functions of the host may have the names of CUDA's. A contract is read as CUDA, as elsewhere in the
/// program.
#define __CUDACC__ 1

#include "host_copies.h"
#include "host_variables.h"
