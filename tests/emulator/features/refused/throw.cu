// nvcc: refused
// told: cannot throw
__global__ void k(int* x) {
    if (*x < 0) throw 1;
}
