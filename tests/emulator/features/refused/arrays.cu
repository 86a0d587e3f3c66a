// nvcc: legal
// told: read through a pointer
void f(cudaArray_t* array, const cudaChannelFormatDesc* format) {
    cudaMallocArray(array, format, 8, 8);
}
