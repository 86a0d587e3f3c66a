// What a CUDA submission gets: the light headers, and what nvcc includes by itself.
#include "light.h"

#include <cuda_runtime.h>
