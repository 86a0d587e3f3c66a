#pragma once

#include "runtime/block.h"
#include "runtime/instructions.h"
#include "runtime/shadow.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace cuda_emulator {

/// Who made an earlier access that conflicts with the present one.
struct Conflict {
    bool between_blocks = false;
    emulator::AccessKind kind{}; ///< of the earlier one
    std::uint32_t instruction = 0;
    std::uint32_t thread = 0; ///< in its block
    std::uint32_t block = 0;  ///< linear index
};

/// An atomic operation that only threads of its block see as one: to other blocks it is a write.
constexpr auto block_atomic = static_cast<emulator::AccessKind>(3);

/// What a thread does to a word.
struct WordAccess {
    std::uint32_t thread = 0;
    std::uint32_t mask = 0; ///< of its bytes
    emulator::AccessKind kind{};
    Instruction* instruction = nullptr;
};

/// How many bits a mask of four has; what stands in for an instruction that not every processor has.
constexpr std::uint32_t bytes_in(std::uint32_t mask) {
    return static_cast<std::uint32_t>(0x4332322132212110u >> mask * 4 & 7u);
}

/// Finds conflicting accesses that nothing orders.
///
/// Two accesses conflict if they touch a common byte, at least one writes, and they are not both atomic. In a
/// block they are ordered by a barrier of the block, by a __syncwarp both threads took part in afterwards and
/// before (each warp keeps, for every pair of lanes, how much of the one's past the other has met), by a
/// barrier of a tile that both belong to, or by the pattern of a fence, then an atomic on some address, which
/// a later atomic of the other thread on the same address sees: for these each thread that takes part has a
/// clock. What a compare-and-swap sees, as the one that takes a lock, counts only after a fence or a barrier:
/// what follows it may otherwise happen first. Between blocks of a launch an order exists only by the same
/// pattern, of device scope, and counts for whole blocks.
///
/// A word is 0, or stands for one access, or is the number of its Cell once there was another. An access is
/// the number of an entry, in which all lanes of a warp that make the same one in the same interval share,
/// and its lane. Entries are numbered on through all launches: a word below the launch's first number (or, if
/// no other block can see it, below the interval's) is as good as never touched.
class RaceDetector {
  public:
    /// How many entries there may be. Further accesses of a launch have cells at once, so that memory is
    /// bounded; numbers begin anew, with empty words, before a launch could run out of them.
    struct Capacity {
        std::uint32_t of_a_launch = 1u << 24;
        std::uint32_t numbers = 1u << 26;
    };

    RaceDetector(ShadowStore& store, Capacity capacity) : store_(store), capacity_(capacity) {}

    void launch_begins();
    void block_begins(std::uint32_t block);
    void block_put_aside() { aside_[block_] = known_; }
    /// A block that was put aside goes on: what it did before is ordered before what it does now.
    void block_continues(std::uint32_t block);
    void barrier() {
        acquire(known_);
        next_interval();
    }
    /// All threads of the grid have met: what was before is as good as another launch.
    void grid_barrier() { forget_accesses(); }
    void warp_barrier(std::uint32_t warp, std::uint32_t lanes);
    void tile_barrier(std::uint32_t first_thread, std::uint32_t threads);
    void fence(std::uint32_t thread, Scope scope);
    void atomic(std::uint32_t thread, std::uintptr_t address, AtomicUse use);
    /// The instruction by which the thread was one of the last to read a word; none if it was not.
    std::optional<std::uint32_t> read_by(Word word, std::uint32_t thread) const;

    /// Notes an access that is the first to its word, or the same again: nothing races with it. False if it
    /// is neither, and nothing is noted then. `other_blocks` says whether they see the word. `fresh` receives
    /// how many of its bytes no thread has read (or written) before in this launch.
    [[gnu::always_inline]] bool note(Word& word, WordAccess access, bool other_blocks, std::uint32_t& fresh) {
        const Word value = value_of(access);
        if (word == value) {
            fresh = 0;
            return value != 0;
        }
        if (word >= (other_blocks ? launch_first_ : interval_first_) || value == 0) return false;
        fresh = bytes_in(access.mask);
        word = value;
        return true;
    }
    /// Notes any other access, and says whom it races with, if anybody. Returns what `fresh` is above.
    std::uint32_t note_contended(Word& word, WordAccess access, bool other_blocks,
                                 std::optional<Conflict>& conflict);

  private:
    struct WarpOrder {
        std::array<std::array<std::uint32_t, warp_lanes>, warp_lanes> met; ///< [lane][other]
        bool used = false;
    };

    /// One access by some lanes of a warp: the record of its lane 0.
    struct Entry {
        std::uint64_t record;
        std::uint32_t interval;
    };

    // What lanes share in an entry, as a number: interval 32 bits, epoch 20, warp 5, kind 2, bytes 4.
    [[gnu::always_inline]] Word value_of(WordAccess access) {
        const std::uint64_t key = std::uint64_t{interval_} << 32 | (epochs_[access.thread] & 0xfffffu) << 11 |
                                  access.thread / warp_lanes << 6 |
                                  static_cast<std::uint32_t>(access.kind) << 4 | access.mask;
        Mark& mark = access.instruction->marks[static_cast<std::size_t>(__builtin_ctz(access.mask))];
        if (mark.key != key) [[unlikely]] {
            mark.key = key;
            mark.value = new_entry(access);
        }
        return mark.value == 0 ? 0 : mark.value | access.thread % warp_lanes;
    }

    static constexpr Word in_cell = Word{1} << 31; ///< the rest is the number of the cell

    void next_interval();
    void forget_accesses();
    void forget_threads();
    /// What a block relies on: that it has made a fence, the blocks whose writes it may use, and those whose
    /// writes it may use after a fence.
    struct Known {
        bool fenced = false;
        std::vector<bool> acquired, seen;
    };
    static void acquire(Known& known);

    void meet_block(std::uintptr_t address, bool acquires);
    void acquire(std::uint32_t thread);
    bool ordered_by_fence(std::uint32_t thread, std::uint32_t other, std::uint32_t other_epoch) const {
        const auto& clock = clocks_[thread];
        return !clock.empty() && clock[other] > other_epoch;
    }
    Word new_entry(WordAccess access);
    std::uint64_t record_of(WordAccess access) const;
    Cell* cell_of(Word& word, bool other_blocks);
    void remember(Cell& cell, std::uint64_t record, std::uint32_t by_block, bool other_blocks) const;
    std::uint32_t block_of(std::uint32_t interval) const;
    bool ordered_in_warp(std::uint32_t thread, std::uint32_t other, std::uint32_t other_epoch) const;
    std::optional<Conflict> conflict_in_block(const Cell& cell, WordAccess access) const;
    std::optional<Conflict> conflict_between(const Cell& cell, WordAccess access) const;

    ShadowStore& store_;
    Capacity capacity_;
    std::uint32_t interval_ = 1;
    std::uint32_t launch_start_ = 1;             ///< the launch's first interval
    std::uint32_t block_ = 0;                    ///< the linear index of the present block
    std::vector<std::uint32_t> interval_blocks_; ///< the block of each interval of the launch
    std::vector<Entry> entries_;                 ///< of this launch
    std::uint32_t first_number_ = 1;             ///< of them
    Word launch_first_ = 0, interval_first_ = 0; ///< the least values of entries made since
    Known known_;
    std::unordered_map<std::uint32_t, Known> aside_; ///< of the blocks that have been put aside
    std::unordered_map<std::uintptr_t, std::vector<bool>> released_;
    std::array<std::uint32_t, max_threads> epochs_{}; ///< of each thread: how often it met lanes of its warp
    std::array<WarpOrder, max_threads / warp_lanes> warps_{};

    /// For each thread of the block, up to which epoch another has met it; empty if it has met none.
    using Clock = std::vector<std::uint32_t>;
    Clock known_to(std::uint32_t thread);
    bool fences_used_ = false;                         ///< or tiles, in this block
    std::array<Clock, max_threads> clocks_;            ///< what each thread has met
    std::array<Clock, max_threads> seen_;              ///< what it will have met after a fence
    std::array<Clock, max_threads> before_fence_;      ///< what it had met at its latest fence, and itself
    std::unordered_map<std::uintptr_t, Clock> handed_; ///< by atomics on an address
};

} // namespace cuda_emulator
