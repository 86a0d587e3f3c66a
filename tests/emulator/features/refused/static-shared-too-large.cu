// nvcc: refused
// told: 48 KiB of static shared memory
__global__ void k(float* x) {
    __shared__ float tile[16384];
    tile[threadIdx.x] = 1.0f;
    __syncthreads();
    *x = tile[5];
}
