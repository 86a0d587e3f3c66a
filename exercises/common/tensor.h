#pragma once

#include <cstddef>
#include <type_traits>

namespace contract {

/// A dense tensor of shape (B, T, C) that someone else owns: batch, time, channel.
/// Element (b, t, c) is at `data + (b * time + t) * channels + c`.
template <class T>
struct Tensor3 {
    T* data = nullptr;
    std::size_t batch = 0;
    std::size_t time = 0;
    std::size_t channels = 0;

    Tensor3() = default;
    Tensor3(T* first, std::size_t sequences, std::size_t positions, std::size_t width)
        : data(first), batch(sequences), time(positions), channels(width) {}

    /// A read-only view of a writable tensor.
    operator Tensor3<const T>() const requires(!std::is_const_v<T>) { return {data, batch, time, channels}; }

    /// The `channels` values of position t in sequence b.
    T* row(std::size_t b, std::size_t t) const { return data + (b * time + t) * channels; }
    T& operator()(std::size_t b, std::size_t t, std::size_t c) const { return row(b, t)[c]; }
};

} // namespace contract
