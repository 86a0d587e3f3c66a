// nvcc: legal
// told: no cuRAND
#include <curand_kernel.h>
