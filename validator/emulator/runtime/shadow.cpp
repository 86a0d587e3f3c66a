#include "runtime/shadow.h"

#include <algorithm>
#include <cstring>

namespace cuda_emulator {

Region::Region(std::uintptr_t base, std::size_t bytes, bool track_initialization)
    : base_(base & ~std::uintptr_t{3}), bytes_(bytes + (base & 3)), pages_(bytes_ / 4 / page_cells + 1),
      initialized_(track_initialization ? bytes_ / 8 + 8 : 0) {}

namespace {

/// Bits [at, at + count) of a bit set, count at most 16.
std::uint32_t bits_at(const std::vector<std::uint8_t>& set, std::size_t at) {
    std::uint32_t window;
    std::memcpy(&window, &set[at / 8], sizeof window);
    return window >> at % 8;
}

/// Calls visit(byte, mask) for each byte of a bit set that holds some of the bits [begin, end).
template <class Visit>
void for_bits(std::size_t begin, std::size_t end, Visit visit) {
    while (begin < end) {
        const std::size_t stop = std::min(end, begin / 8 * 8 + 8);
        visit(begin / 8, static_cast<std::uint8_t>((0xffu >> (8 - (stop - begin))) << begin % 8));
        begin = stop;
    }
}

} // namespace

bool Region::is_initialized(std::uintptr_t address, std::size_t bytes) const {
    if (initialized_.empty()) return true;
    const std::size_t at = address - base_;
    if (bytes <= 16) {
        const std::uint32_t wanted = (1u << bytes) - 1;
        return (bits_at(initialized_, at) & wanted) == wanted;
    }
    bool all = true;
    for_bits(at, at + bytes,
             [&](std::size_t byte, std::uint8_t mask) { all = all && (initialized_[byte] & mask) == mask; });
    return all;
}

void Region::initialize(std::uintptr_t address, std::size_t bytes) {
    if (initialized_.empty()) return;
    const std::size_t at = address - base_;
    for_bits(at, at + bytes, [&](std::size_t byte, std::uint8_t mask) { initialized_[byte] |= mask; });
}

void Region::forget_initialization(std::uintptr_t address, std::size_t bytes) {
    if (initialized_.empty()) return;
    const std::size_t at = address - base_;
    for_bits(at, at + bytes, [&](std::size_t byte, std::uint8_t mask) {
        initialized_[byte] &= static_cast<std::uint8_t>(~mask);
    });
}

void Region::copy_initialization(std::uintptr_t to, const Region& from, std::uintptr_t from_address,
                                 std::size_t bytes) {
    if (from.initialized_.empty()) return initialize(to, bytes);
    if (initialized_.empty()) return;
    std::vector<bool> known(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        known[i] = from.is_initialized(from_address + i, 1);
    for (std::size_t i = 0; i < bytes; ++i) {
        if (known[i])
            initialize(to + i, 1);
        else
            forget_initialization(to + i, 1);
    }
}

} // namespace cuda_emulator
