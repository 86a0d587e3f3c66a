// nvcc: refused
// told: belongs to the host
#include <vector>
__global__ void k(int* x) {
    std::vector<int> v(3);
    x[0] = v[0];
}
