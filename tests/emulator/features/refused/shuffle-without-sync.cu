// nvcc: refused
// told: ends in _sync
__global__ void k(int* x) {
    *x = __shfl_down(*x, 1);
}
