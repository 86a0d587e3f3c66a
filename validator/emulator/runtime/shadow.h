#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace cuda_emulator {

/// What is known of four bytes of memory; `races.h` says how it is read.
using Word = std::uint32_t;

/// Who used four bytes of memory, as far as a race could still follow from it, once there is more to tell
/// than one access. One cache line.
///
/// A record packs one access; 0 is no record. Records of a block are valid in the barrier interval they
/// carry, records between blocks in their launch. Blocks run in order, so of all earlier blocks the first to
/// read, to write and to use atomics say whether any did.
struct Cell {
    enum Kind { read, read_by_another, write, atomic, kinds };
    enum Between { first_read, first_write, first_atomic, betweens };

    std::uint64_t in_block[kinds];
    std::uint64_t between_blocks[betweens];
    std::uint32_t interval; ///< of the latest access
    std::uint32_t bytes_read : 4;
    std::uint32_t bytes_written : 4;
};
static_assert(sizeof(Cell) == 64);

/// Where words and cells come from. Words keep what they held when they are used again: all of it is older
/// than the launch that finds it, and so no longer valid.
class ShadowStore {
  public:
    static constexpr std::size_t page_words = 1024;

    Word* take_page();
    void give_back(Word* page) { idle_.push_back(page); }
    /// The number of a cell that nobody uses, with nothing in it.
    std::uint32_t take_cell();
    void give_back_cell(std::uint32_t number) { idle_cells_.push_back(number); }
    Cell& cell(std::uint32_t number) { return cells_[number / chunk_cells][number % chunk_cells]; }
    /// Empties all words and takes all cells back.
    void forget();

  private:
    static constexpr std::uint32_t chunk_cells = 256;

    std::vector<std::unique_ptr<Word[]>> pages_;
    std::vector<Word*> idle_;
    std::vector<std::unique_ptr<Cell[]>> cells_;
    std::vector<std::uint32_t> idle_cells_;
    std::uint32_t next_cell_ = 0; ///< never used, nor are those behind it
};

/// Some of the bytes of a range.
class ByteSet {
  public:
    explicit ByteSet(std::size_t bytes) : bits_(bytes / 8 + 8) {}

    bool contains(std::size_t at, std::size_t bytes) const {
        if (bytes > 16) return contains_range(at, bytes);
        const std::uint32_t wanted = (1u << bytes) - 1;
        return (window(at) >> at % 8 & wanted) == wanted;
    }
    void add(std::size_t at, std::size_t bytes) {
        if (bytes > 16) return add_range(at, bytes);
        const std::uint32_t all = window(at) | ((1u << bytes) - 1) << at % 8;
        std::memcpy(&bits_[at / 8], &all, sizeof all);
    }
    void remove(std::size_t at, std::size_t bytes);
    bool has_any(std::size_t at, std::size_t bytes) const;

  private:
    /// The bits from the byte that holds bit `at`; behind the last one there is room.
    std::uint32_t window(std::size_t at) const {
        std::uint32_t bits;
        std::memcpy(&bits, &bits_[at / 8], sizeof bits);
        return bits;
    }
    bool contains_range(std::size_t at, std::size_t bytes) const;
    void add_range(std::size_t at, std::size_t bytes);

    std::vector<std::uint8_t> bits_; ///< one a byte
};

/// The memory of memory: words for a range of addresses, made when first touched, which bytes have been
/// written, and which are not the present call's to write.
class Region {
  public:
    Region(ShadowStore& store, std::uintptr_t base, std::size_t bytes, bool track_initialization);
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region();

    std::uintptr_t base() const { return base_; }
    std::size_t bytes() const { return bytes_; }
    Word& word(std::uintptr_t address) {
        const std::size_t number = (address - base_) / 4;
        auto& page = pages_[number / ShadowStore::page_words];
        if (page == nullptr) page = store_->take_page();
        return page[number % ShadowStore::page_words];
    }
    bool is_initialized(std::uintptr_t address, std::size_t bytes) const {
        return !initialized_ || initialized_->contains(address - base_, bytes);
    }
    void initialize(std::uintptr_t address, std::size_t bytes) {
        if (initialized_) initialized_->add(address - base_, bytes);
    }
    void forget_initialization(std::uintptr_t address, std::size_t bytes) {
        if (initialized_) initialized_->remove(address - base_, bytes);
    }
    /// Copies which bytes are initialised, for a copy of memory.
    void copy_initialization(std::uintptr_t to, const Region& from, std::uintptr_t from_address,
                             std::size_t bytes);
    void keep_all();
    void give(std::uintptr_t address, std::size_t bytes) {
        if (kept_) kept_->remove(address - base_, bytes);
    }
    /// Whether some of the bytes are kept from the call.
    bool is_kept(std::uintptr_t address, std::size_t bytes) const {
        return kept_ && kept_->has_any(address - base_, bytes);
    }

  private:
    ShadowStore* store_;
    std::uintptr_t base_;
    std::size_t bytes_;
    std::vector<Word*> pages_;
    std::optional<ByteSet> initialized_; ///< or everything counts as written
    std::optional<ByteSet> kept_;        ///< or nothing is
};

} // namespace cuda_emulator
