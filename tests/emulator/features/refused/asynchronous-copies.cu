// nvcc: legal
// told: no asynchronous copies
#include <cuda_pipeline.h>
