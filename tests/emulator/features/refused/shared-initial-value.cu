// nvcc: refused
// told: cannot have an initial value
__global__ void k(int* x) {
    __shared__ int sum = 0;
    *x = sum;
}
