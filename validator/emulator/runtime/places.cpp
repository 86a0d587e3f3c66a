#include "runtime/places.h"

#include "runtime/block.h"
#include "runtime/findings.h"
#include "runtime/host_memory.h"
#include "runtime/memory.h"
#include "runtime/promises.h"

#include <algorithm>
#include <link.h>

namespace cuda_emulator {

using emulator::AccessKind;
using emulator::FindingKind;

namespace {

std::uintptr_t address_of(const void* p) {
    return reinterpret_cast<std::uintptr_t>(p);
}

/// The addresses of the program's own segments.
std::pair<std::uintptr_t, std::uintptr_t> program_range() {
    std::pair<std::uintptr_t, std::uintptr_t> range{~std::uintptr_t{0}, 0};
    dl_iterate_phdr(
        [](dl_phdr_info* program, std::size_t, void* out) {
            auto& found = *static_cast<std::pair<std::uintptr_t, std::uintptr_t>*>(out);
            for (int i = 0; i < program->dlpi_phnum; ++i) {
                const auto& segment = program->dlpi_phdr[i];
                if (segment.p_type != PT_LOAD) continue;
                found.first = std::min<std::uintptr_t>(found.first, program->dlpi_addr + segment.p_vaddr);
                found.second = std::max<std::uintptr_t>(found.second, program->dlpi_addr + segment.p_vaddr +
                                                                          segment.p_memsz);
            }
            return 1;
        },
        &range);
    return range;
}

std::string verb(AccessKind kind) {
    return kind == AccessKind::load ? "reads " : kind == AccessKind::store ? "writes " : "updates ";
}

/// Where an access lies relative to the [begin, begin + size) it misses.
std::string relative(std::uintptr_t address, std::uint32_t bytes, std::uintptr_t begin, std::size_t size) {
    const std::uintptr_t end = begin + size;
    if (address < begin) return count_of(begin - address, "byte") + " in front of ";
    if (address < end) return "of which " + std::to_string(address + bytes - end) + " lie past the end of ";
    if (address == end) return "just past the end of ";
    return count_of(address - end, "byte") + " past the end of ";
}

} // namespace

void refuse(Access access, FindingKind kind, const std::string& where) {
    report({.kind = kind,
            .message = "A kernel " + verb(access.kind) + count_of(access.bytes, "byte") + " " + where + ".",
            .kernel = current_launch->kernel,
            .thread = thread_id(block->current->thread),
            .where = location(*access.instruction)});
    abort_kernel(kind == FindingKind::misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress);
}

namespace {

/// Returns if the address is not known to be the host's.
void refuse_host_memory(Access access) {
    const std::string owner = host_owner(reinterpret_cast<const void*>(access.address));
    if (!owner.empty())
        refuse(access, FindingKind::host_memory,
               owner + ": copy them to device memory with cudaMemcpy, or declare a table __constant__");
}

} // namespace

void Places::launch_begins() {
    note_host_stack(__builtin_frame_address(0));
    if (!static_region_) {
        static_region_ =
            std::make_unique<Region>(store_, address_of(cuda_emulator_static_shared), 2 * shared_limit, true);
        dynamic_region_ = std::make_unique<Region>(store_, address_of(cuda_emulator_dynamic_shared),
                                                   shared_limit_optin, true);
        const auto [low, high] = program_range();
        program_region_ = std::make_unique<Region>(store_, low, high - low, false);
    }
    shared_.clear();
    ++version_;
}

void Places::block_begins() {
    for (const auto& variable : shared_)
        static_region_->forget_initialization(static_region_->base() + variable.offset, variable.bytes);
    dynamic_region_->forget_initialization(dynamic_region_->base(), current_launch->dynamic_shared);
}

void Places::block_continues() {
    for (const auto& variable : shared_)
        static_region_->initialize(static_region_->base() + variable.offset, variable.bytes);
    dynamic_region_->initialize(dynamic_region_->base(), current_launch->dynamic_shared);
}

void Places::allocated(const void* address, std::size_t bytes, bool initialized) {
    freed(address);
    allocations_.try_emplace(address_of(address), store_, address_of(address), bytes, !initialized);
    lowest_ = std::min(lowest_, address_of(address));
    highest_ = std::max(highest_, address_of(address) + bytes);
}

void Places::freed(const void* address) {
    ++version_;
    allocations_.erase(address_of(address));
}

Region* Places::region_of(const void* address) {
    auto next = allocations_.upper_bound(address_of(address));
    if (next == allocations_.begin()) return nullptr;
    Region& region = std::prev(next)->second;
    return address_of(address) < region.base() + region.bytes() ? &region : nullptr;
}

void Places::initialized(const void* address, std::size_t bytes) {
    if (Region* region = region_of(address)) region->initialize(address_of(address), bytes);
}

void Places::copied(void* to, const void* from, std::size_t bytes) {
    Region* target = region_of(to);
    if (target == nullptr) return;
    if (const Region* source = region_of(from))
        target->copy_initialization(address_of(to), *source, address_of(from), bytes);
    else
        target->initialize(address_of(to), bytes);
}

void Places::kept(const void* address) {
    if (Region* region = region_of(address)) region->keep_all();
}

void Places::given(const void* address, std::size_t bytes) {
    if (Region* region = region_of(address)) region->give(address_of(address), bytes);
}

bool Places::is_kept(const void* address, std::size_t bytes) {
    const Region* region = region_of(address);
    return region != nullptr && region->is_kept(address_of(address), bytes);
}

void Places::shared_placed(std::uint32_t offset, std::uint32_t bytes, const char* names) {
    shared_.push_back({offset, bytes, names});
    static_region_->forget_initialization(static_region_->base() + offset, bytes);
}

Place Places::find(Access access) {
    if (access.address - static_region_->base() < static_region_->bytes())
        return find_shared_variable(access);
    if (access.address - dynamic_region_->base() < dynamic_region_->bytes()) {
        const Place place{dynamic_region_->base(), current_launch->dynamic_shared, dynamic_region_.get(),
                          Space::shared};
        if (place.holds(access.address, access.bytes)) return place;
        refuse(access, FindingKind::out_of_bounds,
               relative(access.address, access.bytes, place.low, place.bytes) + "the " +
                   count_of(place.bytes, "byte") + " of dynamic shared memory that the launch asked for");
    }
    // Of no size, so that no instruction takes it for the place of its next access: shared memory, which
    // comes first, lies in between.
    if (access.address - program_region_->base() < program_region_->bytes() &&
        region_of(reinterpret_cast<const void*>(access.address)) == nullptr) {
        refuse_host_memory(access);
        if (access.kind != emulator::AccessKind::load && !access.instruction->reported_variable) {
            access.instruction->reported_variable = true;
            note_variable_written(current_launch->kernel, location(*access.instruction));
        }
        return {program_region_->base(), 0, program_region_.get(), Space::variable};
    }
    return find_allocation(access);
}

Place Places::find_shared_variable(Access access) {
    const SharedVariable* nearest = nullptr;
    for (const auto& variable : shared_) {
        const Place place{static_region_->base() + variable.offset, variable.bytes, static_region_.get(),
                          Space::shared};
        if (place.holds(access.address, access.bytes)) return place;
        if (place.low <= access.address) nearest = &variable;
    }
    if (nearest == nullptr) refuse(access, FindingKind::out_of_bounds, "outside of every shared variable");
    refuse(access, FindingKind::out_of_bounds,
           relative(access.address, access.bytes, static_region_->base() + nearest->offset, nearest->bytes) +
               "the shared variable " + nearest->names + " of " + count_of(nearest->bytes, "byte"));
}

Place Places::find_allocation(Access access) {
    const auto next = allocations_.upper_bound(access.address);
    Region* below = next == allocations_.begin() ? nullptr : &std::prev(next)->second;
    if (below != nullptr) {
        const Place place{below->base(), below->bytes(), below, Space::global};
        if (place.holds(access.address, access.bytes)) return place;
    }
    const void* pointer = reinterpret_cast<const void*>(access.address);
    if (access.address < 4096) refuse(access, FindingKind::illegal_address, "through a null pointer");
    if (find_freed(pointer) != nullptr)
        refuse(access, FindingKind::use_after_free, "of memory that was freed");
    if (!is_device_memory(pointer)) refuse_host_memory(access);
    // Memory that is lent to the device is adjacent to other memory of its owner.
    constexpr std::uintptr_t near = 1 << 20;
    if (below != nullptr && access.address - (below->base() + below->bytes()) + access.bytes < near)
        refuse(access, FindingKind::out_of_bounds,
               relative(access.address, access.bytes, below->base(), below->bytes()) + "an allocation of " +
                   count_of(below->bytes(), "byte"));
    if (next != allocations_.end() && next->first - access.address < near)
        refuse(access, FindingKind::out_of_bounds,
               relative(access.address, access.bytes, next->first, 0) + "an allocation of " +
                   count_of(next->second.bytes(), "byte"));
    refuse(access, FindingKind::host_memory, "at an address that is not memory of the device");
}

} // namespace cuda_emulator
