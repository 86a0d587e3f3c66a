// nvcc: legal
// told: read through a pointer
__global__ void k(cudaTextureObject_t t, float* x) {
    *x = tex1Dfetch<float>(t, 0);
}
