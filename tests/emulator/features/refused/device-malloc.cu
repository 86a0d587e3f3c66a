// nvcc: legal
// told: cannot allocate here
__global__ void k(int* x) {
    int* p = static_cast<int*>(malloc(4));
    *x = p != nullptr;
}
