// nvcc: refused
// told: a plain array
#include <array>
__global__ void k(int* x) {
    std::array<int, 2> v{1, 2};
    x[0] = v[x[1]];
}
