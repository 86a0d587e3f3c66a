#pragma once

#include <cuda_runtime.h>

#include <vector>

/// A feature of CUDA, and a function that tries it. Each file of features ends with a table of its own, which
/// `docs/cuda.md` carries in words.
struct Feature {
    const char* name;
    bool (*works)();
};

/// The features of the file that a program is built from.
extern const Feature features[];
extern const int feature_count;

#define FEATURES(...)                                                                                        \
    extern const Feature features[] = {__VA_ARGS__};                                                         \
    extern const int feature_count = sizeof features / sizeof features[0];

/// Device memory with given values, freed at the end.
template <class T>
class Buffer {
  public:
    explicit Buffer(const std::vector<T>& values) : size_(values.size()) {
        cudaMalloc(&data_, size_ * sizeof(T));
        cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
    }
    explicit Buffer(std::size_t size) : Buffer(std::vector<T>(size)) {}
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { cudaFree(data_); }

    T* data() const { return data_; }
    std::vector<T> values() const {
        std::vector<T> out(size_);
        if (cudaMemcpy(out.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
            out.clear();
        return out;
    }

  private:
    T* data_ = nullptr;
    std::size_t size_;
};
