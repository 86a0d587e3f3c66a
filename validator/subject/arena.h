#pragma once

#include "subject/protocol.h"
#include "system/fd.h"

#include <cstddef>
#include <cstdint>

namespace subject {

/// Shared memory of a fixed size, sealed so that the other side can neither shrink nor grow it. Pages that
/// nobody touched take no memory, so a large arena costs nothing.
class Arena {
  public:
    /// Throws model::EnvironmentError where the kernel refuses.
    explicit Arena(std::size_t bytes);
    Arena(Arena&& other) noexcept;
    Arena& operator=(Arena&&) = delete;
    ~Arena();

    /// How much of it there really is: what either side has touched.
    std::uint64_t present_kib() const;

    /// Copies into the arena, which must have the room.
    void write(std::size_t offset, const std::byte* data, std::size_t bytes);

    Control& control() const { return *reinterpret_cast<Control*>(base_); }
    std::byte* base() const { return base_; }
    std::size_t bytes() const { return bytes_; }
    bool contains(const std::byte* data) const { return data >= base_ && data < base_ + bytes_; }
    int fd() const { return fd_.get(); }

  private:
    sys::Fd fd_;
    std::byte* base_ = nullptr;
    std::size_t bytes_ = 0;
    std::size_t written_ = 0; ///< how far large copies have reached
};

} // namespace subject
