// nvcc: legal
// told: there is one process
void f(void* data) {
    cudaIpcMemHandle_t handle;
    cudaIpcGetMemHandle(&handle, data);
}
