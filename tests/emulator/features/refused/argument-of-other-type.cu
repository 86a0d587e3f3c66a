// nvcc: refused
// told: no known conversion
__global__ void k(float* x, int n) {
    x[n] = 1.0f;
}
void launch(int* x) {
    k<<<1, 32>>>(x, 3);
}
