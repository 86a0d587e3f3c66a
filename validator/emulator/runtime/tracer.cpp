#include "runtime/tracer.h"

#include "runtime/errors.h"
#include "runtime/findings.h"
#include "runtime/memory.h"
#include "runtime/promises.h"
#include "runtime/streams.h"

#include <algorithm>
#include <bit>

namespace cuda_emulator {

using emulator::AccessKind;
using emulator::FindingKind;

Tracer& start_tracer() {
    static Tracer instance;
    return instance;
}

void Tracer::launch_begins(const Configuration& configuration, const Work& work) {
    places_.launch_begins();
    races_.launch_begins();
    traffic_.launch_begins(configuration);
    turn_ = &turns_[configuration.kernel];
    ++turn_->launches;
    arguments_ = work.data;
    arguments_bytes_ = work.bytes;
}

void Tracer::block_begins() {
    races_.block_begins(block->number);
    places_.block_begins();
}

void Tracer::barrier() {
    races_.barrier();
    for (std::uint32_t warp = 0; warp * warp_lanes < block->threads; ++warp)
        traffic_.settle(warp);
}

void Tracer::range(std::uintptr_t address, std::uint32_t bytes, AccessKind kind, const void* return_address) {
    if (!in_kernel) return host_access(address, bytes, kind, return_address);
    if (is_private(address)) return;
    // What is less aligned than its size asks for is named as a range.
    Instruction& instruction = instructions_.at(return_address);
    instruction.member = bytes == 4 || bytes == 8;
    instruction.in_pieces = !std::has_single_bit(bytes) || bytes >= widest_access;
    observe({address, bytes, kind, &instruction}, false);
}

void Tracer::block_put_aside() {
    races_.block_put_aside();
    for (std::uint32_t warp = 0; warp * warp_lanes < block->threads; ++warp)
        traffic_.settle(warp);
}

void Tracer::block_continues(std::uint32_t block_number) {
    races_.block_continues(block_number);
    places_.block_continues();
}

void Tracer::grid_barrier() {
    races_.grid_barrier();
}

void Tracer::atomic(const void* address, std::uint32_t bytes, AtomicUse use, const void* return_address) {
    const Access access{reinterpret_cast<std::uintptr_t>(address), bytes, AccessKind::atomic,
                        &instructions_.at(return_address)};
    if (use.kind == AtomicKind::compare || use.order != Order::relaxed) turn_->ordering = true;
    if (use.kind == AtomicKind::store) places_.initialized(address, bytes);
    const Place& place = places_.of(access);
    if (access.address % bytes != 0) refuse_misaligned(access);
    log(access, place.space);
    note_for_streams(access, place.space);
    check_written(access, place);
    // What the operation meets is known before its own access is compared with earlier ones.
    races_.atomic(block->current->thread, access.address, use);
    check_atomic(access, place, use);
}

void Tracer::check_atomic(const Access& access, const Place& place, AtomicUse use) {
    const std::uint32_t thread = block->current->thread;
    Access made = access;
    if (use.scope == Scope::block) made.kind = block_atomic;
    std::uint32_t fresh = 0;
    for (std::uint32_t done = 0; done < access.bytes; done += 4) {
        const std::uintptr_t address = access.address + done;
        Word& word = place.region->word(address);
        if (use.kind == AtomicKind::compare)
            if (const auto load = races_.read_by(word, thread))
                instructions_.numbered(*load).before_swap = true;
        const std::uint32_t mask =
            access.bytes >= 4 ? 0xfu : ((1u << access.bytes) - 1) << access.address % 4;
        const std::uint32_t used = check_contended(made, place.space, word, mask);
        if (place.space == Space::global) fresh += used;
    }
    traffic_.touch(fresh);
}

void Tracer::refuse_misaligned(Access access) {
    refuse(access, FindingKind::misaligned,
           "at an address that is not a multiple of " + std::to_string(access.bytes));
}

/// As wide as the size and the place allow: a float3 is three accesses of 4 bytes, a struct of four
/// floats four: a vector of that size would be no range.
void Tracer::log_in_pieces(Access access, Space space) {
    const std::uint64_t aligned = access.address | access.bytes | widest_access;
    const auto width = access.bytes == widest_access ? 4 : static_cast<std::uint32_t>(aligned & -aligned);
    for (std::uint32_t done = 0; done < access.bytes; done += width)
        log_whole({access.address + done, width, access.kind, access.instruction}, space);
}

std::uint32_t Tracer::check_contended(Access access, Space space, Word& word, std::uint32_t mask) {
    const WordAccess part{block->current->thread, mask, access.kind, access.instruction};
    std::optional<Conflict> conflict;
    const std::uint32_t fresh = races_.note_contended(word, part, space != Space::shared, conflict);
    if (conflict) judge(access, *conflict);
    return fresh;
}

void Tracer::judge(Access access, const Conflict& conflict) {
    const auto is_atomic = [](AccessKind kind) { return kind == AccessKind::atomic || kind == block_atomic; };
    const bool loads = access.kind == AccessKind::load && is_atomic(conflict.kind);
    const bool loaded = is_atomic(access.kind) && conflict.kind == AccessKind::load;
    if (!loads && !loaded) return report(race(access, conflict));
    const std::uint32_t load = loads ? access.instruction->number : conflict.instruction;
    emulator::Finding finding = race(access, conflict);
    for (Doubtful& known : doubtful_)
        if (known.load == load && known.finding.kind == finding.kind &&
            known.finding.where == finding.where && known.finding.other == finding.other) {
            ++known.finding.count;
            return;
        }
    doubtful_.push_back({load, std::move(finding)});
}

void Tracer::launch_ends() {
    for (Doubtful& race : doubtful_)
        if (!instructions_.numbered(race.load).before_swap) report(std::move(race.finding));
    doubtful_.clear();
}

void Tracer::check_words(Access access, const Place& place) {
    const std::uintptr_t end = access.address + access.bytes;
    std::uint64_t fresh = 0;
    for (std::uintptr_t word = access.address & ~std::uintptr_t{3}; word < end; word += 4) {
        const std::uint32_t skipped =
            word < access.address ? static_cast<std::uint32_t>(access.address - word) : 0;
        const std::uint32_t behind = end - word >= 4 ? 0 : static_cast<std::uint32_t>(4 - (end - word));
        fresh += check_word(access, place, word, (0xfu << skipped) & (0xfu >> behind));
    }
    traffic_.touch(fresh);
}

void Tracer::report_uninitialized(Access access, Space space) {
    access.instruction->reported_uninitialized = true;
    report({.kind = FindingKind::uninitialized_read,
            .message = std::string("A kernel ") + (access.kind == AccessKind::load ? "reads " : "updates ") +
                       count_of(access.bytes, "byte") + " of " +
                       (space == Space::shared ? "shared memory" : "an allocation") +
                       " that nothing has written.",
            .kernel = current_launch->kernel,
            .thread = thread_id(block->current->thread),
            .where = location(*access.instruction)});
}

void Tracer::report_kept(Access access) {
    if (access.instruction->reported_kept) return;
    access.instruction->reported_kept = true;
    note_kept_written(current_launch->kernel, access.bytes, location(*access.instruction));
}

emulator::Finding Tracer::race(Access access, const Conflict& conflict) {
    const dim3& grid = cuda_emulator_grid_size;
    const std::uint32_t b = conflict.block;
    emulator::Finding finding{.kind = conflict.between_blocks ? FindingKind::race_between_blocks
                                                              : FindingKind::race_in_block,
                              .message = {},
                              .kernel = current_launch->kernel,
                              .thread = thread_id(block->current->thread),
                              .where = location(*access.instruction),
                              .other = location(instructions_.numbered(conflict.instruction))};
    finding.in_one_warp =
        !conflict.between_blocks && conflict.thread / warp_lanes == block->current->thread / warp_lanes;
    finding.message =
        conflict.between_blocks
            ? "Two blocks use the same bytes, at least one writes, and nothing orders them: blocks of a "
              "launch run in any order."
        : finding.in_one_warp
            ? "Two threads of a warp use the same bytes, at least one writes, and no barrier stands "
              "between them: the threads of a warp need not run in step."
            : "Two threads of a block use the same bytes, at least one writes, and no barrier stands "
              "between them.";
    finding.other_thread.block = {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
    if (!conflict.between_blocks) finding.other_thread = thread_id(conflict.thread);
    return finding;
}

void Tracer::judge_host_access(Access access, const void* return_address) {
    const std::lock_guard lock(runtime_mutex);
    const Allocation* a = find_allocation(reinterpret_cast<const void*>(access.address));
    if (a == nullptr) return;
    Instruction& instruction = instructions_.at(return_address);
    if (a->kind == MemoryKind::device)
        return report(
            {.kind = FindingKind::host_memory,
             .message = "Host code touches " + count_of(access.bytes, "byte") +
                        " of device memory: copy them with cudaMemcpy. On a GPU the program crashes "
                        "here.",
             .where = location(instruction)});
    // A host function runs as a task of its stream.
    if (streams_.recording())
        streams_.add(access.address, access.bytes, access.kind, instruction.number);
    else if (!streams_.running() && streams_.host_matters())
        streams_.host_access(
            host_task(), {access.address, access.address + access.bytes, access.kind, instruction.number});
}

void Tracer::used(const void* address, std::size_t bytes, AccessKind kind) {
    const Allocation* memory = find_allocation(address);
    if (memory == nullptr) return;
    if (memory->kind == MemoryKind::symbol && kind == AccessKind::store && streams_.running())
        note_variable_written(streams_.present().name, streams_.present().asked);
    if (kind == AccessKind::store && streams_.running() && places_.is_kept(address, bytes))
        note_kept_written(streams_.present().name, bytes, streams_.present().asked);
    if (streams_.recording()) streams_.add(reinterpret_cast<std::uintptr_t>(address), bytes, kind);
}

void Tracer::call_begins(const TaskPointer& task) {
    std::vector<Piece> memory;
    places_.for_each_allocation([&](std::uintptr_t low, std::size_t bytes) {
        memory.push_back({low, low + bytes, AccessKind::store});
    });
    streams_.call_begins(task, std::move(memory));
}

void Tracer::allocated(const void* address, std::size_t bytes, bool initialized) {
    places_.allocated(address, bytes, initialized);
    streams_.allocated(reinterpret_cast<std::uintptr_t>(address), bytes);
}

void Tracer::initialized(const void* address, std::size_t bytes) {
    places_.initialized(address, bytes);
    used(address, bytes, AccessKind::store);
}

void Tracer::copied(void* to, const void* from, std::size_t bytes) {
    places_.copied(to, from, bytes);
    used(from, bytes, AccessKind::load);
    used(to, bytes, AccessKind::store);
}

void Tracer::fill(emulator::Trace& trace) {
    trace.traced = true;
    streams_.forget();
    trace.kernels = traffic_.take([this](std::uint64_t number) {
        return location(instructions_.numbered(static_cast<std::uint32_t>(number))).offset;
    });
}

} // namespace cuda_emulator
