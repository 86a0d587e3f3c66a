// nvcc: legal with -rdc
// told: no dynamic parallelism
__global__ void child() {}
__global__ void k() {
    child<<<1, 1>>>();
}
