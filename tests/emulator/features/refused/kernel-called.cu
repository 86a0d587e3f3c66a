// nvcc: refused
// told: launch it with
__global__ void k(int* x) {
    *x = 1;
}
void h(int* x) {
    k(x);
}
