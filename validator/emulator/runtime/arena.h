#pragma once

#include <cstddef>
#include <map>

namespace cuda_emulator {

/// Where memory from the runtime comes from: ranges of addresses that contain nothing else, so that an
/// address alone says whether the memory is the device's, however far it is from an allocation.
class Arena {
  public:
    /// What cudaMalloc promises; sizes are multiples of it.
    static constexpr std::size_t alignment = 256;

    /// Null if the system has no more memory.
    char* take(std::size_t bytes);
    void give_back(char* first, std::size_t bytes);
    bool owns(const void* address) const;

  private:
    /// Never touched, before and after each range: an index that runs out of a range stays recognisable.
    static constexpr std::size_t margin = std::size_t{1} << 20;
    static constexpr std::size_t usual_range = std::size_t{4} << 20;

    bool add_range(std::size_t bytes);

    std::map<char*, std::size_t> ranges_; ///< without their margins
    std::map<char*, std::size_t> free_;   ///< no two of them adjacent
};

} // namespace cuda_emulator
