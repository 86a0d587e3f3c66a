#pragma once

#include "common/matrix.h"
#include "common/rules.h"
#include "common/tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

/// Views of device memory, for contracts whose functions launch kernels. A host function may read the sizes,
/// but only a kernel may follow the pointer. Pass a view to a kernel like any other argument.
///
/// Rules of every contract with a stream, besides common/rules.h. Fine print: docs/fine-print.md.
///
/// STREAM. All kernels, copies and fills go to `stream`. The call returns without waiting: no
/// synchronisation, no blocking copy, no cudaMalloc, no cudaFree. Views are valid until `stream` has done the
/// work.
///
/// TWO CALLS on different streams may run at the same time: write no `__device__` or `__constant__` variable.
///
/// SCRATCH MEMORY comes from cudaMallocAsync and goes back with cudaFreeAsync, in the same call, both on
/// `stream`. It holds anything at first. Its size may scale with V and the elements of views that are not
/// tables or their gradients, but not with V * C. A contract may allow less.
///
/// ERRORS. The judge finds refused launches (an empty grid, a block of more than 1,024 threads) and failed
/// kernels; `Status` has no code for them. cudaPeekAtLastError is allowed, but not cudaGetLastError, which
/// would hide the error.
///
/// IDS are not known when the call returns, so a bad one is not refused. Each contract says how its kernels
/// treat it.
///
/// Compiled as plain C++, as suites and references are, the same names mean ordinary views.
#if defined(__CUDACC__)

#include <cuda_runtime.h>

namespace contract {

/// `size()` elements in a row.
template <class T>
class DeviceSpan {
  public:
    DeviceSpan() = default;
    __host__ __device__ DeviceSpan(T* first, std::size_t count) : data_(first), size_(count) {}

    __host__ __device__ __forceinline__ T* data() const { return data_; }
    __host__ __device__ __forceinline__ std::size_t size() const { return size_; }
    __host__ __device__ __forceinline__ bool empty() const { return size_ == 0; }
    __device__ __forceinline__ T& operator[](std::size_t i) const { return data_[i]; }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/// A row-major matrix: row r begins at `data + r * stride`. `stride >= cols`; the elements between
/// them are padding.
template <class T>
struct DeviceMatrix {
    T* data = nullptr;
    std::size_t rows = 0;
    std::size_t cols = 0;
    std::size_t stride = 0;

    DeviceMatrix() = default;
    __host__ __device__ DeviceMatrix(T* first, std::size_t row_count, std::size_t col_count,
                                     std::size_t row_stride)
        : data(first), rows(row_count), cols(col_count), stride(row_stride) {}

    __host__ __device__ __forceinline__ T* row(std::size_t r) const { return data + r * stride; }
    __device__ __forceinline__ T& operator()(std::size_t r, std::size_t c) const { return row(r)[c]; }
};

/// A dense tensor of shape (batch, time, channels): element (b, t, c) is at `data + (b * time + t) *
/// channels + c`.
template <class T>
struct DeviceTensor3 {
    T* data = nullptr;
    std::size_t batch = 0;
    std::size_t time = 0;
    std::size_t channels = 0;

    DeviceTensor3() = default;
    __host__ __device__ DeviceTensor3(T* first, std::size_t sequences, std::size_t positions,
                                      std::size_t width)
        : data(first), batch(sequences), time(positions), channels(width) {}

    __host__ __device__ __forceinline__ T* row(std::size_t b, std::size_t t) const {
        return data + (b * time + t) * channels;
    }
    __device__ __forceinline__ T& operator()(std::size_t b, std::size_t t, std::size_t c) const {
        return row(b, t)[c];
    }
};

} // namespace contract

#else

namespace contract {

template <class T>
using DeviceSpan = std::span<T>;
template <class T>
using DeviceMatrix = Matrix<T>;
template <class T>
using DeviceTensor3 = Tensor3<T>;

/// Which stream a suite has the submission work on.
enum class Stream : std::uint32_t {
    standard, ///< the default stream, 0
    own,      ///< one that does not wait for the default stream, nor the default stream for it
};
using cudaStream_t = Stream;

} // namespace contract

#endif
