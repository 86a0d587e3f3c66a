#pragma once

#include "common/matrix.h"
#include "common/rules.h"
#include "common/tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

/// Views of memory that a device owns, for contracts whose functions launch kernels. A host function may look
/// at the sizes, but only a kernel may follow the pointer. Copy a view into a kernel like any other argument.
///
/// Rules for every contract that takes a stream, besides those of common/rules.h:
///
/// - STREAM. The arguments are ready for work on `stream`, and results count when `stream` has done its work.
///   All kernels, copies and fills go there; another stream is of use only if events make each wait for the
///   other, and a call may make both. The call launches its work and returns. It does not wait: no
///   synchronisation, no copy that waits, no cudaMalloc and no cudaFree. The views stay valid until `stream`
///   has done the work of the call.
/// - TWO STREAMS. Calls on different streams may be at work at the same time. So a call writes no variable
///   that is `__device__` or `__constant__`, which both would share; scratch memory belongs to its call.
/// - SCRATCH MEMORY comes from cudaMallocAsync and goes back with cudaFreeAsync in the same call, both on
///   `stream`. It holds anything at first. It may be in proportion to V and to the elements of the call's
///   views other than tables and their gradients, but not to V * C. A contract may allow less.
/// - NOTHING TO LAUNCH. Where a contract says so, a launch is needless, and the device refuses an empty
///   grid; a kernel that does nothing is not an error.
/// - ERRORS. A launch that the device refuses (an empty grid, a block of more than 1,024 threads) and a
///   kernel that fails are found by the judge after the call; `Status` has no code for them. You may look
///   with cudaPeekAtLastError, but not with cudaGetLastError, which would hide the error from the judge.
/// - TINY NUMBERS. An atomicAdd of floats to global memory may take numbers below the normal ones, 2^-126,
///   for 0, as devices do (PTX ISA, atom). There the exactness that common/rules.h promises ends.
/// - IDS in device memory are not known when the call returns, so a bad one is not refused. Each contract
///   says what its kernels do with it.
///
/// Compiled as CUDA these are views of device memory and a stream is a real one. Compiled as plain C++, as
/// suites and references are, the same names mean ordinary views: the judge moves the elements over and back.
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
