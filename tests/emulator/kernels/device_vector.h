#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

/// Device memory for the test kernels, freed with its owner.
inline void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <class T>
class DeviceVector {
  public:
    explicit DeviceVector(std::size_t size) : size_(size) { check(cudaMalloc(&data_, bytes())); }
    explicit DeviceVector(const std::vector<T>& from) : DeviceVector(from.size()) {
        check(cudaMemcpy(data_, from.data(), bytes(), cudaMemcpyHostToDevice));
    }
    DeviceVector(const DeviceVector&) = delete;
    DeviceVector& operator=(const DeviceVector&) = delete;
    ~DeviceVector() { cudaFree(data_); }

    T* data() const { return data_; }
    void clear() { check(cudaMemset(data_, 0, bytes())); }
    std::vector<T> host() const {
        std::vector<T> out(size_);
        check(cudaGetLastError());
        check(cudaMemcpy(out.data(), data_, bytes(), cudaMemcpyDeviceToHost));
        return out;
    }

  private:
    std::size_t bytes() const { return size_ * sizeof(T); }

    T* data_ = nullptr;
    std::size_t size_;
};
