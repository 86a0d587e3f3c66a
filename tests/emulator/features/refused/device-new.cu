// nvcc: legal
// told: cannot allocate here
__global__ void k(int* x) {
    int* p = new int(3);
    *x = *p;
}
