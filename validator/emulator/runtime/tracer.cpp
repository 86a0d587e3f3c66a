#include "runtime/tracer.h"

#include "runtime/errors.h"
#include "runtime/faults.h"
#include "runtime/findings.h"

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

Tracer& start_tracer() {
    static Tracer instance;
    return instance;
}

void Tracer::launch_begins(const Configuration& configuration, const Work& work) {
    if (!static_region_) {
        static_region_ =
            std::make_unique<Region>(address_of(cuda_emulator_static_shared), 2 * shared_limit, true);
        dynamic_region_ =
            std::make_unique<Region>(address_of(cuda_emulator_dynamic_shared), shared_limit, true);
        std::tie(program_low_, program_high_) = program_range();
        program_region_ = std::make_unique<Region>(program_low_, program_high_ - program_low_, false);
    }
    races_.launch_begins(static_cast<std::uint32_t>(cuda_emulator_launch_number));
    traffic_.launch_begins(configuration);
    shared_.clear();
    recent_shared_ = 0;
    arguments_ = address_of(work.data);
    arguments_bytes_ = work.bytes;
}

void Tracer::block_begins() {
    const uint3& at = cuda_emulator_block_index;
    const dim3& grid = cuda_emulator_grid_size;
    races_.block_begins(at.x + grid.x * (at.y + grid.y * at.z));
    for (const auto& variable : shared_)
        static_region_->forget_initialization(static_region_->base() + variable.offset, variable.bytes);
    dynamic_region_->forget_initialization(dynamic_region_->base(), current_launch->dynamic_shared);
}

void Tracer::barrier() {
    races_.barrier();
    for (std::uint32_t warp = 0; warp * warp_lanes < block.threads; ++warp)
        traffic_.settle(warp);
}

void Tracer::allocated(const void* address, std::size_t bytes, bool initialized) {
    allocations_.insert_or_assign(address_of(address), Region(address_of(address), bytes, !initialized));
    lowest_ = std::min(lowest_, address_of(address));
    highest_ = std::max(highest_, address_of(address) + bytes);
}

void Tracer::freed(const void* address) {
    recent_ = nullptr;
    allocations_.erase(address_of(address));
}

Region* Tracer::region_of(const void* address) {
    auto next = allocations_.upper_bound(address_of(address));
    if (next == allocations_.begin()) return nullptr;
    Region& region = std::prev(next)->second;
    return address_of(address) < region.base() + region.bytes() ? &region : nullptr;
}

void Tracer::initialized(const void* address, std::size_t bytes) {
    if (Region* region = region_of(address)) region->initialize(address_of(address), bytes);
}

void Tracer::copied(void* to, const void* from, std::size_t bytes) {
    Region* target = region_of(to);
    if (target == nullptr) return;
    if (const Region* source = region_of(from))
        target->copy_initialization(address_of(to), *source, address_of(from), bytes);
    else
        target->initialize(address_of(to), bytes);
}

void Tracer::shared_placed(std::uint32_t offset, std::uint32_t bytes, const char* names) {
    shared_.push_back({offset, bytes, names});
    static_region_->forget_initialization(static_region_->base() + offset, bytes);
}

Tracer::Instruction& Tracer::instruction_at(const void* return_address) {
    Instruction*& cached = instruction_cache_[(address_of(return_address) >> 2) % instruction_cache_.size()];
    if (cached != nullptr && cached->at == return_address) return *cached;
    const auto [found, made] = instructions_.try_emplace(return_address);
    if (made) {
        found->second.at = return_address;
        found->second.number = static_cast<std::uint32_t>(instruction_numbers_.size());
        instruction_numbers_.push_back(return_address);
    }
    cached = &found->second;
    return *cached;
}

emulator::Location Tracer::location(std::uint32_t number) const {
    // The call returns behind the instruction it stands for: one byte less lies inside it.
    return {{}, 0, program_offset(instruction_numbers_[number]) - 1};
}

void Tracer::access(std::uintptr_t address, std::uint32_t bytes, AccessKind kind, bool aligned,
                    const void* return_address) {
    if (!in_kernel) return host_access(address, bytes, return_address);
    if (is_private(address)) return;
    kernel_access({address, bytes, kind, &instruction_at(return_address)}, aligned);
}

void Tracer::atomic(const void* address, std::uint32_t bytes, const void* return_address) {
    const Access access{address_of(address), bytes, AccessKind::atomic, &instruction_at(return_address)};
    kernel_access(access, true);
    races_.atomic(access.address);
}

/// The thread's own stack, the kernel's arguments, and what a thread knows about itself.
bool Tracer::is_private(std::uintptr_t address) const {
    return address - address_of(block.current->low) < FiberPool::stack_bytes ||
           address - arguments_ < arguments_bytes_ ||
           address - address_of(&cuda_emulator_block_size) < sizeof(dim3) ||
           address - address_of(&cuda_emulator_grid_size) < sizeof(dim3);
}

void Tracer::kernel_access(const Access& access, bool aligned) {
    const Place at = place(access);
    if (aligned && access.address % access.bytes != 0)
        refuse(access, FindingKind::misaligned,
               "at an address that is not a multiple of " + std::to_string(access.bytes));
    log(access, at.space);
    check_bytes(access, at);
}

Tracer::Place Tracer::place(const Access& access) {
    if (access.address - static_region_->base() < static_region_->bytes())
        return place_shared_variable(access);
    if (access.address - dynamic_region_->base() < dynamic_region_->bytes()) {
        const std::size_t size = current_launch->dynamic_shared,
                          at = access.address - dynamic_region_->base();
        if (at < size && access.bytes <= size - at) return {dynamic_region_.get(), Space::shared};
        refuse(access, FindingKind::out_of_bounds,
               relative(access.address, access.bytes, dynamic_region_->base(), size) + "the " +
                   count_of(size, "byte") + " of dynamic shared memory that the launch asked for");
    }
    if (access.address >= program_low_ && access.address < program_high_)
        return {program_region_.get(), Space::variable};
    return place_global(access);
}

Tracer::Place Tracer::place_shared_variable(const Access& access) {
    const std::size_t at = access.address - static_region_->base();
    const auto inside = [&](const SharedVariable& v) {
        return at >= v.offset && at - v.offset < v.bytes && access.bytes <= v.bytes - (at - v.offset);
    };
    if (recent_shared_ < shared_.size() && inside(shared_[recent_shared_]))
        return {static_region_.get(), Space::shared};
    const SharedVariable* nearest = nullptr;
    for (const auto& variable : shared_) {
        if (inside(variable)) {
            recent_shared_ = static_cast<std::uint32_t>(&variable - shared_.data());
            return {static_region_.get(), Space::shared};
        }
        if (variable.offset <= at) nearest = &variable;
    }
    if (nearest == nullptr) refuse(access, FindingKind::out_of_bounds, "outside of every shared variable");
    refuse(access, FindingKind::out_of_bounds,
           relative(access.address, access.bytes, static_region_->base() + nearest->offset, nearest->bytes) +
               "the shared variable " + nearest->names + " of " + count_of(nearest->bytes, "byte"));
}

Tracer::Place Tracer::place_global(const Access& access) {
    const auto inside = [&](const Region& r) {
        const std::uintptr_t at = access.address - r.base();
        return at < r.bytes() && access.bytes <= r.bytes() - at;
    };
    if (recent_ != nullptr && inside(*recent_)) return {recent_, Space::global};
    const auto next = allocations_.upper_bound(access.address);
    Region* below = next == allocations_.begin() ? nullptr : &std::prev(next)->second;
    if (below != nullptr && inside(*below)) {
        recent_ = below;
        return {below, Space::global};
    }
    const void* pointer = reinterpret_cast<const void*>(access.address);
    if (access.address < 4096) refuse(access, FindingKind::illegal_address, "through a null pointer");
    if (find_freed(pointer) != nullptr)
        refuse(access, FindingKind::use_after_free, "of memory that was freed");
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

void Tracer::refuse(const Access& access, FindingKind kind, const std::string& where) {
    report({.kind = kind,
            .message = "A kernel " + verb(access.kind) + count_of(access.bytes, "byte") + " " + where + ".",
            .kernel = current_launch->kernel,
            .thread = thread_id(block.current->thread),
            .where = location(access.instruction->number)});
    abort_kernel(kind == FindingKind::misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress);
}

/// Variables of the program are left out: a trace cannot tell `__constant__` ones, which have a cache of
/// their own.
void Tracer::log(const Access& access, Space space) {
    if (space == Space::variable) return;
    constexpr std::uint32_t most = 1 << 15;
    for (std::uint32_t done = 0; done < access.bytes; done += most)
        traffic_.log(block.current->thread, {access.address + done, access.instruction->number,
                                             static_cast<std::uint16_t>(std::min(most, access.bytes - done)),
                                             access.kind, space == Space::shared});
}

void Tracer::check_bytes(const Access& access, const Place& at) {
    if (access.kind != AccessKind::store && !access.instruction->reported_uninitialized &&
        !at.region->is_initialized(access.address, access.bytes)) {
        access.instruction->reported_uninitialized = true;
        report({.kind = FindingKind::uninitialized_read,
                .message = std::string("A kernel ") +
                           (access.kind == AccessKind::load ? "reads " : "updates ") +
                           count_of(access.bytes, "byte") + " of " +
                           (at.space == Space::shared ? "shared memory" : "an allocation") +
                           " that nothing has written.",
                .kernel = current_launch->kernel,
                .thread = thread_id(block.current->thread),
                .where = location(access.instruction->number)});
    }
    if (access.kind != AccessKind::load) at.region->initialize(access.address, access.bytes);
    const std::uintptr_t end = access.address + access.bytes;
    std::uint64_t fresh = 0;
    for (std::uintptr_t word = access.address & ~std::uintptr_t{3}; word < end; word += 4) {
        const std::uint32_t skipped =
            word < access.address ? static_cast<std::uint32_t>(access.address - word) : 0;
        const std::uint32_t behind = end - word >= 4 ? 0 : static_cast<std::uint32_t>(4 - (end - word));
        const std::uint32_t mask = (0xfu << skipped) & (0xfu >> behind);
        Cell& cell = at.region->cell(word);
        Conflict conflict;
        if (races_.access(cell, block.current->thread, mask, access.kind, access.instruction->number,
                          at.space != Space::shared, &conflict))
            report_race(access, conflict);
        if (at.space == Space::global) fresh += RaceDetector::first_use(cell, mask, access.kind);
    }
    traffic_.touch(fresh);
}

void Tracer::report_race(const Access& access, const Conflict& conflict) {
    const dim3& grid = cuda_emulator_grid_size;
    const std::uint32_t b = conflict.block;
    emulator::Finding finding{.kind = conflict.between_blocks ? FindingKind::race_between_blocks
                                                              : FindingKind::race_in_block,
                              .message = {},
                              .kernel = current_launch->kernel,
                              .thread = thread_id(block.current->thread),
                              .where = location(access.instruction->number),
                              .other = location(conflict.instruction)};
    finding.message =
        conflict.between_blocks
            ? "Two blocks use the same bytes, at least one writes, and nothing orders them: blocks of a "
              "launch run in any order."
            : "Two threads of a block use the same bytes, at least one writes, and no barrier stands "
              "between them.";
    finding.other_thread.block = {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
    if (!conflict.between_blocks) finding.other_thread = thread_id(conflict.thread);
    report(std::move(finding));
}

void Tracer::host_access(std::uintptr_t address, std::uint32_t bytes, const void* return_address) {
    if (address < lowest_ || address >= highest_) return;
    const std::lock_guard lock(runtime_mutex);
    const Allocation* a = find_allocation(reinterpret_cast<const void*>(address));
    if (a == nullptr || a->kind != MemoryKind::device) return;
    report({.kind = FindingKind::host_memory,
            .message = "Host code touches " + count_of(bytes, "byte") +
                       " of device memory: copy them with cudaMemcpy. On a GPU the program crashes here.",
            .where = location(instruction_at(return_address).number)});
}

void Tracer::fill(emulator::Trace& trace) {
    trace.traced = true;
    trace.kernels = traffic_.take(
        [this](std::uint64_t number) { return location(static_cast<std::uint32_t>(number)).offset; });
}

} // namespace cuda_emulator
