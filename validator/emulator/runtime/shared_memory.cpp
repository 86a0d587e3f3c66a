#include "runtime/shared_memory.h"

#include "runtime/block.h"
#include "runtime/memory.h"
#include "runtime/observer.h"

#include <algorithm>

namespace cuda_emulator {

namespace {
constexpr std::size_t static_capacity = 2 * shared_limit; ///< room for the gaps between variables
constexpr std::size_t slot_alignment =
    128; ///< one row of banks: conflicts inside a variable are as on a device

std::size_t static_end = 0;   ///< of the variables placed so far in this launch
std::size_t static_bytes = 0; ///< their sizes as a device would add them up
std::size_t dynamic_bytes = 0;

std::size_t round_up(std::size_t bytes, std::size_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}
} // namespace

void shared_launch_begins(std::size_t dynamic) {
    static_end = static_bytes = 0;
    dynamic_bytes = dynamic;
}

void shared_block_begins() {
    poison(cuda_emulator_static_shared, static_end);
    if (dynamic_bytes > 0) poison(cuda_emulator_dynamic_shared, dynamic_bytes + guard_bytes);
}

long damage_behind_dynamic_shared() {
    if (dynamic_bytes == 0) return -1;
    const unsigned char* end = cuda_emulator_dynamic_shared + dynamic_bytes;
    const char* damage = first_changed(end, guard_bytes);
    return damage == nullptr ? -1 : damage - reinterpret_cast<const char*>(end);
}

void save_shared(SharedContents& contents) {
    contents.fixed.assign(cuda_emulator_static_shared, cuda_emulator_static_shared + static_end);
    contents.dynamic.assign(cuda_emulator_dynamic_shared, cuda_emulator_dynamic_shared + dynamic_bytes);
}

void restore_shared(const SharedContents& contents) {
    shared_block_begins(); // variables that another block was the first to meet
    std::copy(contents.fixed.begin(), contents.fixed.end(), cuda_emulator_static_shared);
    std::copy(contents.dynamic.begin(), contents.dynamic.end(), cuda_emulator_dynamic_shared);
}

PointsTo points_to(const void* pointer) {
    const auto lies_in = [pointer](const void* low, std::size_t bytes) {
        return reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(low) < bytes;
    };
    if (lies_in(cuda_emulator_static_shared, static_capacity) ||
        lies_in(cuda_emulator_dynamic_shared, shared_limit_optin))
        return PointsTo::shared;
    if (in_kernel && lies_in(block->current->low, FiberPool::stack_bytes)) return PointsTo::local;
    return pointer == nullptr ? PointsTo::nowhere : PointsTo::global;
}

void place_shared(SharedSlot& slot, std::size_t bytes, std::size_t alignment, const char* names, int line) {
    static_bytes = round_up(static_bytes, alignment) + bytes;
    const std::size_t limit = dynamic_bytes > shared_limit ? shared_limit_optin : shared_limit;
    if (static_bytes + dynamic_bytes > limit)
        abort_kernel(cudaErrorInvalidValue, emulator::FindingKind::shared_memory_limit,
                     "The kernel needs " + std::to_string(static_bytes + dynamic_bytes) +
                         " bytes of shared memory a block, and a block has " + std::to_string(limit) + ".",
                     line);
    slot.launch = cuda_emulator_launch_number;
    slot.offset = static_cast<std::uint32_t>(static_end);
    // A gap of one row of banks keeps an index that runs over the end from landing in the next variable.
    static_end = round_up(static_end + bytes, slot_alignment) + slot_alignment;
    poison(cuda_emulator_static_shared + slot.offset, static_end - slot.offset);
    if (observer) observer->shared_placed(slot.offset, static_cast<std::uint32_t>(bytes), names);
}

} // namespace cuda_emulator

extern "C" {
alignas(1024) unsigned char cuda_emulator_static_shared[cuda_emulator::static_capacity];
alignas(1024) unsigned char cuda_emulator_dynamic_shared[cuda_emulator::shared_limit_optin +
                                                         cuda_emulator::guard_bytes];
}
