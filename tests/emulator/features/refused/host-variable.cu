// nvcc: refused
// told: is a variable of the host
int width = 3;
__global__ void k(int* x) {
    x[0] = width;
}
