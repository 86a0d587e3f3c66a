// nvcc: refused
// told: cannot be marked __device__
__global__ void k(float* x) {
    const auto twice = [] __device__(float v) { return 2 * v; };
    x[threadIdx.x] = twice(x[threadIdx.x]);
}
