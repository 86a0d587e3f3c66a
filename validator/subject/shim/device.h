#pragma once

#include "common/device.h"
#include "subject/shim/call.h"
#include "subject/shim/emulated.h"

/// Between the arena and the memory of a device. A call that takes views of device memory gets memory of
/// exactly the size of its buffers; afterwards everything comes back, inputs too, so that a changed one is
/// noticed.
#if defined(__CUDACC__)

#include <cuda_runtime.h>

#include <map>
#include <utility>
#include <vector>

namespace subject::shim {

/// Device memory larger than this is not copied where the emulator can use it in place: such buffers are
/// shared tensors, sparse and gigabytes long.
constexpr std::size_t max_copied_to_device = std::size_t{1} << 26;

/// Where the elements of a view lie.
struct Rows {
    std::size_t count, bytes, stride_bytes;
};

template <class T>
struct DeviceView;
template <class T>
struct DeviceView<contract::DeviceSpan<T>> {
    using Host = std::span<T>;
    static contract::DeviceSpan<T> at(Host view, void* data) { return {static_cast<T*>(data), view.size()}; }
    static constexpr bool is_output = !std::is_const_v<T>;
    static Rows rows(Host view) { return {1, view.size_bytes(), 0}; }
};
template <class T>
struct DeviceView<contract::DeviceMatrix<T>> {
    using Host = contract::Matrix<T>;
    static contract::DeviceMatrix<T> at(Host view, void* data) {
        return {static_cast<T*>(data), view.rows, view.cols, view.stride};
    }
    static constexpr bool is_output = !std::is_const_v<T>;
    static Rows rows(Host view) { return {view.rows, view.cols * sizeof(T), view.stride * sizeof(T)}; }
};
template <class T>
struct DeviceView<contract::DeviceTensor3<T>> {
    using Host = contract::Tensor3<T>;
    static contract::DeviceTensor3<T> at(Host view, void* data) {
        return {static_cast<T*>(data), view.batch, view.time, view.channels};
    }
    static constexpr bool is_output = !std::is_const_v<T>;
    static Rows rows(Host view) { return {1, view.batch * view.time * view.channels * sizeof(T), 0}; }
};

template <class T>
concept DeviceArgument = std::is_same_v<T, cudaStream_t> || requires {
    typename DeviceView<T>::Host;
};

/// The device's side of one call.
class DeviceMemory {
  public:
    explicit DeviceMemory(Call& call) : call_(call) {}
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    ~DeviceMemory() {
        end();
        if (failed_) {
            // An error of a kernel stays until then, and this process may serve another implementation next.
            cudaDeviceReset();
            return;
        }
        for (const auto& [number, block] : blocks_)
            cudaFree(block.base);
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }

    /// The next argument of the message, a view or a stream.
    template <class T>
    T take() {
        if constexpr (std::is_same_v<T, cudaStream_t>) {
            constexpr std::uint32_t own = 1; // contract::Stream::own, as plain C++ knows it
            if (call_.arguments.take<std::uint32_t>() == own && stream_ == nullptr)
                check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
            takes_stream_ = true;
            return stream_;
        } else {
            const auto where = call_.arguments.take<BufferRef>();
            const auto view = call_.arguments.take<typename DeviceView<T>::Host>();
            if (where.region == no_region) return DeviceView<T>::at(view, nullptr);
            const Block& memory = block(where.region);
            std::byte* const data = memory.data + where.offset;
            if (DeviceView<T>::is_output && !memory.lent)
                outputs_.emplace_back(data, DeviceView<T>::rows(view));
            return DeviceView<T>::at(view, data);
        }
    }

    /// All arguments are taken: what happens until `finish` is the submission's. A copy from ordinary memory
    /// may still be under way when it returns, and a stream of its own does not wait for it.
    void begin() {
        check(cudaDeviceSynchronize());
        if (call_.pause != nullptr) {
            flush_cache();
            call_.pause();
        }
        if (!takes_stream_ || call_begins == nullptr) return;
        keep_what_is_no_output();
        call_begins(stream_);
        begun_ = true;
        if (rehearse != nullptr) rehearse(call_.rehearsed);
    }

    /// Waits for the call's stream and takes everything back. Work on another stream is not waited for: what
    /// a submission left there has not happened. Throws DeviceFailed.
    void finish() {
        end();
        if (blocks_.empty()) return;
        const cudaError_t refused = cudaGetLastError();
        cudaError_t error = cudaStreamSynchronize(stream_);
        if (call_.pause != nullptr) call_.pause();
        for (const auto& [number, block] : blocks_) {
            const RegionMemory& host = call_.regions[number];
            if (block.lent || error != cudaSuccess) continue;
            error = cudaMemcpyAsync(host.data, block.data, host.bytes, cudaMemcpyDeviceToHost, stream_);
        }
        if (error == cudaSuccess) error = cudaStreamSynchronize(stream_);
        const cudaError_t late = cudaDeviceSynchronize();
        check(error != cudaSuccess ? error : refused);
        check(late);
    }

  private:
    struct Block {
        void* base = nullptr; ///< what cudaFree wants
        std::byte* data = nullptr;
        bool lent = false; ///< used where it lies
    };

    void end() {
        if (!begun_) return;
        call_.launches = static_cast<std::uint32_t>(call_ends());
        if (rehearse != nullptr) rehearse(false);
        begun_ = false;
    }

    /// Memory in which something lies that a call must not write, be it padding or an argument that is read.
    void keep_what_is_no_output() const {
        if (keep == nullptr) return;
        for (const auto& [number, block] : blocks_)
            if (!block.lent) keep(block.base);
        for (const auto& [data, rows] : outputs_)
            give(data, rows.count, rows.bytes, rows.stride_bytes);
    }

    /// Fills the device's cache with something else than the arguments.
    void flush_cache() {
        int cache_bytes = 0;
        check(cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, 0));
        const std::size_t bytes = 2 * static_cast<std::size_t>(cache_bytes);
        void* other = nullptr;
        check(cudaMalloc(&other, bytes));
        check(cudaMemset(other, 0, bytes));
        check(cudaDeviceSynchronize());
        check(cudaFree(other));
    }

    void check(cudaError_t error) {
        failed_ = failed_ || error != cudaSuccess;
        if (error != cudaSuccess) throw DeviceFailed{cudaGetErrorName(error), cudaGetErrorString(error)};
    }

    /// A buffer is as misaligned on the device as it is here.
    const Block& block(std::uint32_t number) {
        const auto [place, fresh] = blocks_.try_emplace(number);
        Block& made = place->second;
        if (!fresh) return made;
        const RegionMemory& host = call_.regions.at(number);
        if (host.bytes > max_copied_to_device && lend != nullptr && lend(host.data, host.bytes)) {
            made = {host.data, host.data, true};
            return made;
        }
        const std::size_t misalignment = reinterpret_cast<std::uintptr_t>(host.data) % 16;
        check(cudaMalloc(&made.base, host.bytes + misalignment));
        made.data = static_cast<std::byte*>(made.base) + misalignment;
        if (host.bytes > 0) check(cudaMemcpy(made.data, host.data, host.bytes, cudaMemcpyHostToDevice));
        return made;
    }

    Call& call_;
    std::map<std::uint32_t, Block> blocks_; ///< by region
    std::vector<std::pair<const void*, Rows>> outputs_;
    cudaStream_t stream_ = nullptr;
    bool takes_stream_ = false;
    bool begun_ = false;
    bool failed_ = false;
};

} // namespace subject::shim

#else

namespace subject::shim {

template <class T>
concept DeviceArgument = false;

/// A worker without a device has nothing to move.
struct DeviceMemory {
    explicit DeviceMemory(Call&) {}
    template <class T>
    T take() = delete;
    void begin() {}
    void finish() {}
};

} // namespace subject::shim

#endif
