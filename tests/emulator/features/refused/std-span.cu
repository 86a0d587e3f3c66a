// nvcc: refused
// told: pass the pointer
#include <span>
__global__ void k(std::span<int> x) {
    x[0] = 1;
}
