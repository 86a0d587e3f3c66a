#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace harness {

/// Allocates memory that begins so many elements beyond a multiple of 16 bytes.
template <class T>
class Shifted {
  public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;

    Shifted() = default;
    explicit Shifted(std::size_t by) : by_(by) {}
    template <class U>
    Shifted(const Shifted<U>& other) : by_(other.by()) {}

    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new ((count + by_) * sizeof(T), std::align_val_t{16})) + by_;
    }
    void deallocate(T* memory, std::size_t) { ::operator delete (memory - by_, std::align_val_t{16}); }

    std::size_t by() const { return by_; }
    bool operator==(const Shifted&) const = default;

  private:
    std::size_t by_ = 0;
};

template <class T>
using Cells = std::vector<T, Shifted<T>>;

} // namespace harness
