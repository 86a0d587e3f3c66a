#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

/// What a program on a device needs of the runtime, with every error as one sentence.
namespace device {

inline void check(cudaError_t error, const std::string& doing) {
    if (error != cudaSuccess) throw std::runtime_error("cannot " + doing + ": " + cudaGetErrorString(error));
}

/// The pool behind cudaMallocAsync gives free memory back whenever somebody waits for a stream, and maps it
/// anew in the next launch. A program that launches again and again keeps it, and so does a measurement.
inline void keep_freed_memory() {
#if !defined(CUDA_EMULATOR) // which has no pools
    cudaMemPool_t pool = nullptr;
    check(cudaDeviceGetDefaultMemPool(&pool, 0), "find the memory pool");
    std::uint64_t everything = UINT64_MAX;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &everything),
          "keep the pool's memory");
#endif
}

template <class T>
class Buffer {
  public:
    explicit Buffer(std::size_t size) : size_(size) {
        check(cudaMalloc(&data_, bytes()), "allocate " + std::to_string(bytes()) + " bytes on the device");
    }
    explicit Buffer(const std::vector<T>& host) : Buffer(host.size()) {
        check(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice), "copy to the device");
    }
    ~Buffer() { cudaFree(data_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }

  private:
    std::size_t size_;
    T* data_ = nullptr;
};

class Stream {
  public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream"); }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    operator cudaStream_t() const { return stream_; }

  private:
    cudaStream_t stream_ = nullptr;
};

class Event {
  public:
    Event() { check(cudaEventCreate(&event_), "make an event"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "record an event"); }
    double microseconds_since(const Event& begin) const {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "read an event");
        return static_cast<double>(milliseconds) * 1000;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

/// How often, and how many bytes are written in between so that none of the data is left in the cache.
struct Protocol {
    std::size_t warm_up, launches, flushed_bytes;

    std::size_t rounds() const { return warm_up + launches; }
};

struct Times {
    std::vector<double> launch, copy; ///< microseconds
};

/// A copy and a launch by turns, each after a flush; the flush also gives the host time to hand both over.
template <class Launch>
Times take_turns(const Protocol& protocol, const Buffer<float>& from, const Buffer<float>& to,
                 cudaStream_t stream, Launch launch) {
    const Buffer<char> cache(protocol.flushed_bytes);
    Event before_copy, after_copy, before_launch, after_launch;
    Times times;
    for (std::size_t round = 0; round < protocol.rounds(); ++round) {
        check(cudaMemsetAsync(cache.data(), static_cast<int>(round), cache.bytes(), stream),
              "flush the cache");
        before_copy.record(stream);
        check(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice, stream),
              "copy on the device");
        after_copy.record(stream);
        check(cudaMemsetAsync(cache.data(), static_cast<int>(round), cache.bytes(), stream),
              "flush the cache");
        before_launch.record(stream);
        launch();
        after_launch.record(stream);
        check(cudaGetLastError(), "launch");
        check(cudaStreamSynchronize(stream), "finish a launch");
        if (round < protocol.warm_up) continue;
        times.copy.push_back(after_copy.microseconds_since(before_copy));
        times.launch.push_back(after_launch.microseconds_since(before_launch));
    }
    return times;
}

} // namespace device
