#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace harness {

/// Allocates memory that begins so many elements beyond a multiple of 16 bytes, or of a page.
template <class T>
class Shifted {
  public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;

    Shifted() = default;
    explicit Shifted(std::size_t by, std::size_t alignment = 16) : by_(by), alignment_(alignment) {}
    template <class U>
    Shifted(const Shifted<U>& other) : by_(other.by()), alignment_(other.alignment()) {}

    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new ((count + by_) * sizeof(T), std::align_val_t{alignment_})) +
               by_;
    }
    void deallocate(T* memory, std::size_t) {
        ::operator delete (memory - by_, std::align_val_t{alignment_});
    }

    std::size_t by() const { return by_; }
    std::size_t alignment() const { return alignment_; }
    bool operator==(const Shifted&) const = default;

  private:
    std::size_t by_ = 0, alignment_ = 16;
};

template <class T>
using Cells = std::vector<T, Shifted<T>>;

} // namespace harness
