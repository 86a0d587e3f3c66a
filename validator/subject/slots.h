#pragma once

#include "subject/protocol.h"

#include <bit>
#include <cstddef>

/// Every second call finds its regions in slots. Each slot is followed by a page that the worker made
/// inaccessible when it started, and each region ends where that page begins, so that the first byte past its
/// end cannot even be read. Sanitizers see only the accesses that the compiler instruments, which leaves out
/// some that intrinsics make. A page of a slot that holds nothing takes no memory.
namespace subject {

constexpr std::size_t slot_count = 12;
constexpr std::size_t slot_bytes = 1 << 20;
constexpr std::size_t slot_step = slot_bytes + page; ///< from one to the next

constexpr std::size_t guard_of(std::size_t slot) {
    return control_end + slot * slot_step + slot_bytes;
}

/// Where the slots end, and the zone of arguments that are copied one after the other, and of results,
/// begins.
constexpr std::size_t calls_begin = control_end + slot_count * slot_step;

/// Whether what begins at this offset of an arena is in a slot.
constexpr bool in_slot(std::size_t offset) {
    return offset < calls_begin;
}

/// Whether this call of a test case, counted from 0, has its regions in slots: one of calls 0 and 1, one of 2
/// and 3, and so on. Which one varies (it is the Thue-Morse sequence), so that this coincides with no sizes
/// or functions that a suite goes through in turn.
constexpr bool is_in_slots(std::size_t call) {
    return std::popcount(call) % 2 == 1;
}

} // namespace subject
