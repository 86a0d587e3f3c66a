// nvcc: legal
// told: there is one device
void f(int* can) {
    cudaDeviceCanAccessPeer(can, 0, 1);
}
