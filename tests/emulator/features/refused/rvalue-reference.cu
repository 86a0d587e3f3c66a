// nvcc: refused
// told: rvalue reference type
__global__ void k(int&& x) {
    x = 1;
}
void launch() {
    k<<<1, 32>>>(3);
}
