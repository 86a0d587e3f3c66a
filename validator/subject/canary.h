#pragma once

#include "subject/protocol.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

/// What lies around a buffer is never mistaken for data: each word is a quiet NaN as a float and as the upper
/// half of a double, and no likely token id. Its low bits depend on where in the arena it lies, so that one
/// canary copied over another shows; they are the same in every run, so that a stray read is repeatable.
namespace subject {

constexpr std::uint32_t canary_word(std::size_t offset) {
    // Knuth's multiplicative hash: bits of the place that a sum or a copy of neighbours does not keep.
    return 0x7ff8'0000U | (static_cast<std::uint32_t>(offset / 4) * 0x9e37'79b1U) >> 13;
}

/// Lays `canary_bytes` at this offset of an arena.
inline void lay_canary(std::byte* base, std::size_t offset) {
    for (const std::size_t end = offset + canary_bytes; offset < end; offset += sizeof(std::uint32_t)) {
        const std::uint32_t word = canary_word(offset);
        std::memcpy(base + offset, &word, sizeof word);
    }
}

inline bool canary_intact(const std::byte* base, std::size_t offset) {
    for (const std::size_t end = offset + canary_bytes; offset < end; offset += sizeof(std::uint32_t)) {
        const std::uint32_t word = canary_word(offset);
        if (std::memcmp(base + offset, &word, sizeof word) != 0) return false;
    }
    return true;
}

} // namespace subject
