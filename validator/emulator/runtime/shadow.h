#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace cuda_emulator {

/// Who used four bytes of memory, as far as a race could still follow from it. One cache line.
///
/// A record packs one access; 0 is no record. Records of a block are valid in the barrier interval they
/// carry, records between blocks in their launch. Blocks run in order, so of all earlier blocks the first to
/// read, to write and to use atomics say whether any did.
struct Cell {
    enum Kind { read, read_by_another, write, atomic, kinds };
    enum Between { first_read, first_write, first_atomic, betweens };

    std::uint64_t in_block[kinds];
    std::uint64_t between_blocks[betweens];
    std::uint32_t interval;
    std::uint32_t launch : 24;
    std::uint32_t bytes_read : 4;
    std::uint32_t bytes_written : 4;
};
static_assert(sizeof(Cell) == 64);

/// The memory of memory: cells for a range of addresses, made when first touched, and which bytes have been
/// written.
class Region {
  public:
    Region(std::uintptr_t base, std::size_t bytes, bool track_initialization);

    std::uintptr_t base() const { return base_; }
    std::size_t bytes() const { return bytes_; }
    Cell& cell(std::uintptr_t address) {
        const std::size_t word = (address - base_) / 4;
        auto& page = pages_[word / page_cells];
        if (!page) page = std::make_unique<Cell[]>(page_cells);
        return page[word % page_cells];
    }
    bool is_initialized(std::uintptr_t address, std::size_t bytes) const;
    void initialize(std::uintptr_t address, std::size_t bytes);
    void forget_initialization(std::uintptr_t address, std::size_t bytes);
    /// Copies which bytes are initialised, for a copy of memory.
    void copy_initialization(std::uintptr_t to, const Region& from, std::uintptr_t from_address,
                             std::size_t bytes);

  private:
    static constexpr std::size_t page_cells = 256;

    std::uintptr_t base_;
    std::size_t bytes_;
    std::vector<std::unique_ptr<Cell[]>> pages_;
    std::vector<std::uint8_t> initialized_; ///< a bit a byte; empty if everything counts as written
};

} // namespace cuda_emulator
