#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>

namespace subject {

/// Appends plain values to a fixed stretch of bytes.
class Writer {
  public:
    explicit Writer(std::span<std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        std::memcpy(reserve(sizeof(T)), &value, sizeof(T));
    }
    std::byte* reserve(std::size_t size) {
        if (size > bytes_.size() - used_)
            throw std::length_error("a call's arguments do not fit into one message");
        used_ += size;
        return bytes_.data() + used_ - size;
    }
    std::size_t used() const { return used_; }

  private:
    std::span<std::byte> bytes_;
    std::size_t used_ = 0;
};

/// Takes plain values from bytes in the order in which they were put.
class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    T take() {
        static_assert(std::is_trivially_copyable_v<T>);
        if (sizeof(T) > bytes_.size()) throw std::length_error("a message ends too early");
        std::remove_const_t<T> value;
        std::memcpy(static_cast<void*>(&value), bytes_.data(), sizeof(T));
        bytes_ = bytes_.subspan(sizeof(T));
        return value;
    }

  private:
    std::span<const std::byte> bytes_;
};

} // namespace subject
