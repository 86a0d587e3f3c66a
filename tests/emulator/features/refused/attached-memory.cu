// nvcc: legal
// told: needs no hints here
void f(cudaStream_t stream, void* data) {
    cudaStreamAttachMemAsync(stream, data, 0, cudaMemAttachSingle);
}
