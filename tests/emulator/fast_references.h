#pragma once

#include "cpu.h"

#include <cuda_runtime.h>

// The contract as the file that is tested sees it, under the namespace it was compiled with.
#define exercise fast
#include "contract.h"
#undef exercise

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)

/// Host memory's copy on the device, beginning so many elements behind an address that takes 16 bytes.
template <class Element>
class OnDevice {
  public:
    OnDevice(const std::vector<Element>& host, std::size_t shift) : size_(host.size()) {
        void* memory = nullptr;
        REQUIRE(cudaMalloc(&memory, (size_ + shift + 1) * sizeof(Element)) == cudaSuccess);
        memory_ = static_cast<Element*>(memory);
        data_ = memory_ + shift;
        REQUIRE(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice) == cudaSuccess);
    }
    ~OnDevice() { cudaFree(memory_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    Element* data() const { return data_; }
    std::vector<Element> read() const {
        std::vector<Element> host(size_);
        REQUIRE(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost) == cudaSuccess);
        return host;
    }

  private:
    std::size_t bytes() const { return size_ * sizeof(Element); }

    std::size_t size_;
    Element* memory_ = nullptr;
    Element* data_ = nullptr;
};

/// A call of embed_backward with random gradients in all four matrices, and in what lies between their rows.
struct Scene {
    std::size_t B = 2, T = 5, C = 4, V = 7, P = 5;
    std::vector<std::int32_t> ids{}; ///< (B, T), without a stride
    contract::BackwardOptions options{};
    std::size_t id_gap = 0, wte_gap = 0, wpe_gap = 0;                        ///< elements between two rows
    std::size_t dout_shift = 0, ids_shift = 0, wte_shift = 0, wpe_shift = 0; ///< elements in front

    struct Result {
        contract::Status status;
        std::vector<float> dwte, dwpe; ///< with what lies between the rows
    };

    /// On a stream that does not wait for the default one.
    Result on_device() const {
        const OnDevice dout(random(1, B * T * C), dout_shift);
        const OnDevice device_ids(strided_ids(), ids_shift);
        const OnDevice dwte(random(2, V * (C + wte_gap)), wte_shift);
        const OnDevice dwpe(random(3, P * (C + wpe_gap)), wpe_shift);
        cudaStream_t stream = nullptr;
        REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
        const contract::Status status = fast::embed_backward(
            {dout.data(), B, T, C}, {device_ids.data(), B, T, T + id_gap}, {dwte.data(), V, C, C + wte_gap},
            {dwpe.data(), P, C, C + wpe_gap}, options, stream);
        REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
        cudaStreamDestroy(stream);
        CHECK(cudaGetLastError() == cudaSuccess);
        return {status, dwte.read(), dwpe.read()};
    }

    Result on_cpu() const {
        Result result{{}, random(2, V * (C + wte_gap)), random(3, P * (C + wpe_gap))};
        const std::vector<float> dout = random(1, B * T * C);
        const std::vector<std::int32_t> all_ids = strided_ids();
        result.status = cpu::embed_backward({dout.data(), B, T, C}, {all_ids.data(), T + id_gap},
                                            {result.dwte.data(), V, C + wte_gap},
                                            {result.dwpe.data(), P, C + wpe_gap}, options);
        return result;
    }

  private:
    static std::vector<float> random(unsigned int seed, std::size_t count) {
        std::mt19937 bits(seed);
        std::normal_distribution<float> normal;
        std::vector<float> values(count);
        for (float& value : values)
            value = normal(bits);
        return values;
    }

    std::vector<std::int32_t> strided_ids() const {
        std::vector<std::int32_t> all(B * (T + id_gap), 0); // token 0 must not count because of these
        for (std::size_t i = 0; i < B * T; ++i)
            all[i / T * (T + id_gap) + i % T] = ids.at(i);
        return all;
    }
};

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

inline bool operator==(const Scene::Result& a, const Scene::Result& b) {
    return a.status == b.status && same_bits(a.dwte, b.dwte) && same_bits(a.dwpe, b.dwpe);
}

inline std::vector<std::int32_t> uniform_ids(unsigned int seed, std::size_t count, std::size_t V) {
    std::mt19937 bits(seed);
    std::uniform_int_distribution<std::int32_t> id(0, static_cast<std::int32_t>(V) - 1);
    std::vector<std::int32_t> ids(count);
    for (std::int32_t& one : ids)
        one = id(bits);
    return ids;
}

/// Token v with a probability in proportion to 1 / (v + 1).
inline std::vector<std::int32_t> zipf_ids(unsigned int seed, std::size_t count, std::size_t V) {
    std::vector<double> weights(V);
    for (std::size_t v = 0; v < V; ++v)
        weights[v] = 1.0 / static_cast<double>(v + 1);
    std::mt19937 bits(seed);
    std::discrete_distribution<std::int32_t> id(weights.begin(), weights.end());
    std::vector<std::int32_t> ids(count);
    for (std::int32_t& one : ids)
        one = id(bits);
    return ids;
}
