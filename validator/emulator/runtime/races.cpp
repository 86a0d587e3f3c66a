#include "runtime/races.h"

#include <algorithm>

namespace cuda_emulator {

using emulator::AccessKind;

namespace {

// A record in a block: thread 10 bits, epoch of its lane 20, instruction 24, bytes 4, kind 2, and a bit that
// it is one.
std::uint64_t pack(std::uint32_t thread, std::uint32_t epoch, std::uint32_t instruction, std::uint32_t mask,
                   AccessKind kind) {
    return std::uint64_t{1} << 63 | thread | std::uint64_t{epoch & 0xfffffu} << 10 |
           std::uint64_t{instruction & 0xffffffu} << 30 | std::uint64_t{mask} << 54 |
           static_cast<std::uint64_t>(kind) << 58;
}
std::uint32_t thread_of(std::uint64_t record) {
    return record & 0x3ffu;
}
std::uint32_t epoch_of(std::uint64_t record) {
    return record >> 10 & 0xfffffu;
}
std::uint32_t instruction_of(std::uint64_t record) {
    return record >> 30 & 0xffffffu;
}
std::uint32_t mask_of(std::uint64_t record) {
    return record >> 54 & 0xfu;
}
AccessKind kind_of(std::uint64_t record) {
    return static_cast<AccessKind>(record >> 58 & 3u);
}

// A record between blocks: block 32 bits, instruction 22, bytes 4 in the place of the above.
std::uint64_t pack_between(std::uint32_t block_index, std::uint32_t instruction, std::uint32_t mask) {
    return std::uint64_t{1} << 63 | block_index | std::uint64_t{instruction & 0x3fffffu} << 32 |
           std::uint64_t{mask} << 54;
}
std::uint32_t between_block(std::uint64_t record) {
    return static_cast<std::uint32_t>(record);
}
std::uint32_t between_instruction(std::uint64_t record) {
    return record >> 32 & 0x3fffffu;
}

Cell::Kind in_block_place(AccessKind kind) {
    return kind == AccessKind::load ? Cell::read : kind == AccessKind::store ? Cell::write : Cell::atomic;
}
Cell::Between between_place(AccessKind kind) {
    return kind == AccessKind::load     ? Cell::first_read
           : kind == AccessKind::atomic ? Cell::first_atomic
                                        : Cell::first_write;
}

/// Marks bytes as used; returns how many of them were not.
std::uint32_t first_use(Cell& cell, std::uint32_t mask, AccessKind kind) {
    const std::uint32_t before = kind == AccessKind::load ? cell.bytes_read : cell.bytes_written;
    const std::uint32_t after = (before | mask) & 0xfu;
    if (kind == AccessKind::load)
        cell.bytes_read = after & 0xfu;
    else
        cell.bytes_written = after & 0xfu;
    return bytes_in(after ^ before);
}

} // namespace

void RaceDetector::next_interval() {
    ++interval_;
    interval_first_ = (first_number_ + static_cast<std::uint32_t>(entries_.size())) * warp_lanes;
    interval_blocks_.push_back(block_);
}

void RaceDetector::launch_begins() {
    first_number_ += static_cast<std::uint32_t>(entries_.size());
    entries_.clear();
    if (first_number_ > capacity_.numbers - capacity_.of_a_launch) {
        store_.forget();
        first_number_ = 1;
    }
    forget_accesses();
    aside_.clear();
}

/// Nothing that any thread did before counts any more.
void RaceDetector::forget_accesses() {
    interval_blocks_.clear();
    launch_start_ = interval_ + 1;
    next_interval();
    launch_first_ = interval_first_;
    released_.clear();
    for (auto& [number, known] : aside_)
        known = {};
    known_ = {};
}

void RaceDetector::block_begins(std::uint32_t number) {
    block_ = number;
    next_interval();
    known_ = {};
    forget_threads();
}

void RaceDetector::block_continues(std::uint32_t number) {
    block_ = number;
    next_interval();
    known_ = std::move(aside_[number]);
    forget_threads();
}

std::optional<std::uint32_t> RaceDetector::read_by(Word word, std::uint32_t thread) const {
    const auto is_read = [thread](std::uint64_t record) {
        return record != 0 && kind_of(record) == AccessKind::load && thread_of(record) == thread;
    };
    if (word & in_cell) {
        const Cell& cell = store_.cell(word ^ in_cell);
        if (cell.interval != interval_) return std::nullopt;
        for (const auto place : {Cell::read, Cell::read_by_another})
            if (is_read(cell.in_block[place])) return instruction_of(cell.in_block[place]);
        return std::nullopt;
    }
    if (word < interval_first_) return std::nullopt;
    const std::uint64_t record = entries_[word / warp_lanes - first_number_].record | word % warp_lanes;
    return is_read(record) ? std::optional(instruction_of(record)) : std::nullopt;
}

std::optional<Conflict> RaceDetector::conflict_in_block(const Cell& cell, WordAccess access) const {
    const bool atomic = access.kind == AccessKind::atomic || access.kind == block_atomic;
    for (const auto i : {Cell::write, Cell::atomic, Cell::read, Cell::read_by_another}) {
        const std::uint64_t record = cell.in_block[i];
        if (record == 0) continue;
        const bool other_reads = i == Cell::read || i == Cell::read_by_another;
        if (access.kind == AccessKind::load && other_reads) continue;
        if (atomic && i == Cell::atomic) continue;
        const std::uint32_t other = thread_of(record);
        if (other == access.thread || !(mask_of(record) & access.mask) ||
            ordered_in_warp(access.thread, other, epoch_of(record)) ||
            ordered_by_fence(access.thread, other, epoch_of(record)))
            continue;
        return Conflict{false, kind_of(record), instruction_of(record), other, block_};
    }
    return std::nullopt;
}

std::optional<Conflict> RaceDetector::conflict_between(const Cell& cell, WordAccess access) const {
    for (const auto i : {Cell::first_write, Cell::first_atomic, Cell::first_read}) {
        const std::uint64_t record = cell.between_blocks[i];
        if (record == 0) continue;
        if (access.kind == AccessKind::load && i == Cell::first_read) continue;
        if (access.kind == AccessKind::atomic && i == Cell::first_atomic) continue;
        const std::uint32_t other = between_block(record);
        if (other == block_ || !(mask_of(record) & access.mask)) continue;
        if (other < known_.acquired.size() && known_.acquired[other]) continue;
        const AccessKind kind = i == Cell::first_read    ? AccessKind::load
                                : i == Cell::first_write ? AccessKind::store
                                                         : AccessKind::atomic;
        return Conflict{true, kind, between_instruction(record), 0, other};
    }
    return std::nullopt;
}

std::uint64_t RaceDetector::record_of(WordAccess access) const {
    return pack(access.thread, epochs_[access.thread], access.instruction->number, access.mask, access.kind);
}

Word RaceDetector::new_entry(WordAccess access) {
    if (entries_.size() == capacity_.of_a_launch) return 0;
    const std::uint32_t number = first_number_ + static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({record_of(access) & ~std::uint64_t{warp_lanes - 1}, interval_});
    return number * warp_lanes;
}

/// Adds an access of the present interval, made by a thread of `by_block`, to what is known.
void RaceDetector::remember(Cell& cell, std::uint64_t record, std::uint32_t by_block,
                            bool other_blocks) const {
    const AccessKind kind = kind_of(record);
    std::uint64_t& latest = cell.in_block[in_block_place(kind)];
    // Two different readers are enough: the writer is not both of them.
    if (kind == AccessKind::load && latest != 0 && thread_of(latest) != thread_of(record))
        cell.in_block[Cell::read_by_another] = latest;
    latest = record;
    if (!other_blocks) return;
    std::uint64_t& first = cell.between_blocks[between_place(kind)];
    if (first == 0)
        first = pack_between(by_block, instruction_of(record), mask_of(record));
    else if (between_block(first) == by_block)
        first |= std::uint64_t{mask_of(record)} << 54;
}

std::uint32_t RaceDetector::block_of(std::uint32_t interval) const {
    return interval_blocks_[interval - launch_start_];
}

/// The cell of a word, made from its one access if that was all there was so far; null if nothing that is
/// known of it still counts.
Cell* RaceDetector::cell_of(Word& word, bool other_blocks) {
    if (word & in_cell) {
        Cell& cell = store_.cell(word ^ in_cell);
        if (other_blocks ? cell.interval >= launch_start_ : cell.interval == interval_) return &cell;
        store_.give_back_cell(word ^ in_cell);
        word = 0;
    }
    if (word < (other_blocks ? launch_first_ : interval_first_)) return nullptr;
    const Entry& entry = entries_[word / warp_lanes - first_number_];
    const std::uint64_t record = entry.record | word % warp_lanes;
    word = in_cell | store_.take_cell();
    Cell& cell = store_.cell(word ^ in_cell);
    cell.interval = entry.interval;
    remember(cell, record, block_of(entry.interval), other_blocks);
    first_use(cell, mask_of(record), kind_of(record));
    return &cell;
}

std::uint32_t RaceDetector::note_contended(Word& word, WordAccess access, bool other_blocks,
                                           std::optional<Conflict>& conflict) {
    Cell* cell = cell_of(word, other_blocks);
    if (cell == nullptr) {
        std::uint32_t fresh = 0;
        if (note(word, access, other_blocks, fresh)) return fresh;
        word = in_cell | store_.take_cell();
        cell = &store_.cell(word ^ in_cell);
    }
    if (cell->interval != interval_) {
        std::fill(std::begin(cell->in_block), std::end(cell->in_block), 0);
        cell->interval = interval_;
    }
    conflict = conflict_in_block(*cell, access);
    if (!conflict && other_blocks) conflict = conflict_between(*cell, access);
    remember(*cell, record_of(access), block_, other_blocks);
    return first_use(*cell, access.mask, access.kind);
}

} // namespace cuda_emulator
