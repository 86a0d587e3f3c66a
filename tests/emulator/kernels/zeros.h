#pragma once

#include <cuda_runtime.h>

namespace waiting {

/// Words of device memory, all 0.
struct Zeros {
    int* data = nullptr;

    explicit Zeros(int count = 64) {
        cudaMalloc(&data, count * sizeof(int));
        cudaMemset(data, 0, count * sizeof(int));
    }
    Zeros(const Zeros&) = delete;
    Zeros& operator=(const Zeros&) = delete;
    ~Zeros() { cudaFree(data); }
    void read(int* to, int count) const { cudaMemcpy(to, data, count * sizeof(int), cudaMemcpyDeviceToHost); }
};

inline int waited() {
    return cudaDeviceSynchronize();
}

} // namespace waiting
