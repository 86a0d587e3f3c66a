// nvcc: legal
// told: no CUB
#include <cub/cub.cuh>
