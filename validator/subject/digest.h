#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace subject {

/// Tells byte strings apart: quick, and nobody here has a reason to look for collisions. Small ones go
/// through one chain of FNV-1a over 64-bit words; large ones through several lanes side by side, and their
/// end through that chain.
class Digest {
  public:
    /// What is added in several pieces gives what it gives in one, if all but the last are multiples of this.
    static constexpr std::size_t stripe = 128;

    void add(const std::byte* data, std::size_t bytes);
    std::uint64_t value() const;

  private:
    using Words = std::array<std::uint64_t, stripe / sizeof(std::uint64_t)>;

    static constexpr Words first_lanes() {
        Words lanes{};
        for (std::size_t i = 0; i < lanes.size(); ++i)
            lanes[i] = (i + 1) * 0x9e37'79b9'7f4a'7c15ULL;
        return lanes;
    }

    Words lanes_ = first_lanes();
    std::array<std::byte, stripe> rest_{}; ///< less than a stripe
    std::uint64_t bytes_ = 0;
};

} // namespace subject
