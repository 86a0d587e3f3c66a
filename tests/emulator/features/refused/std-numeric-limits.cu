// nvcc: refused
// told: FLT_MAX
#include <limits>
__global__ void k(float* x) {
    x[0] = std::numeric_limits<float>::max();
}
