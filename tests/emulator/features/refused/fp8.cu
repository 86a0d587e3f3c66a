// nvcc: legal
// told: no 8-bit floating point
#include <cuda_fp8.h>
