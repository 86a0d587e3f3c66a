// nvcc: refused
// told: by way of a variable
#include <utility>
__global__ void k(int* x) {
    std::swap(x[0], x[1]);
}
