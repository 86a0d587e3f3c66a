// nvcc: legal
// told: when the one before it on its stream has ended
__global__ void k() {
    cudaGridDependencySynchronize();
}
