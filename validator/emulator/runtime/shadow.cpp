#include "runtime/shadow.h"

#include <algorithm>

namespace cuda_emulator {

Word* ShadowStore::take_page() {
    if (idle_.empty()) return pages_.emplace_back(std::make_unique<Word[]>(page_words)).get();
    Word* page = idle_.back();
    idle_.pop_back();
    return page;
}

std::uint32_t ShadowStore::take_cell() {
    std::uint32_t number = next_cell_;
    if (!idle_cells_.empty()) {
        number = idle_cells_.back();
        idle_cells_.pop_back();
    } else if (next_cell_++ / chunk_cells == cells_.size()) {
        cells_.push_back(std::make_unique<Cell[]>(chunk_cells));
    }
    cell(number) = {};
    return number;
}

void ShadowStore::forget() {
    for (const auto& page : pages_)
        std::fill_n(page.get(), page_words, 0);
    idle_cells_.clear();
    next_cell_ = 0;
}

Region::Region(ShadowStore& store, std::uintptr_t base, std::size_t bytes, bool track_initialization)
    : store_(&store), base_(base & ~std::uintptr_t{3}), bytes_(bytes + (base & 3)),
      pages_(bytes_ / 4 / ShadowStore::page_words + 1) {
    if (track_initialization) initialized_.emplace(bytes_);
}

Region::~Region() {
    for (Word* page : pages_)
        if (page != nullptr) store_->give_back(page);
}

namespace {

/// Calls visit(byte, mask) for each byte of a bit set that holds some of the bits [begin, end).
template <class Visit>
void for_bits(std::size_t begin, std::size_t end, Visit visit) {
    while (begin < end) {
        const std::size_t stop = std::min(end, begin / 8 * 8 + 8);
        visit(begin / 8, static_cast<std::uint8_t>((0xffu >> (8 - (stop - begin))) << begin % 8));
        begin = stop;
    }
}

} // namespace

bool ByteSet::contains_range(std::size_t at, std::size_t bytes) const {
    bool all = true;
    for_bits(at, at + bytes,
             [&](std::size_t byte, std::uint8_t mask) { all = all && (bits_[byte] & mask) == mask; });
    return all;
}

bool ByteSet::has_any(std::size_t at, std::size_t bytes) const {
    bool any = false;
    for_bits(at, at + bytes,
             [&](std::size_t byte, std::uint8_t mask) { any = any || (bits_[byte] & mask) != 0; });
    return any;
}

void ByteSet::add_range(std::size_t at, std::size_t bytes) {
    for_bits(at, at + bytes, [&](std::size_t byte, std::uint8_t mask) { bits_[byte] |= mask; });
}

void ByteSet::remove(std::size_t at, std::size_t bytes) {
    for_bits(at, at + bytes,
             [&](std::size_t byte, std::uint8_t mask) { bits_[byte] &= static_cast<std::uint8_t>(~mask); });
}

void Region::keep_all() {
    kept_.emplace(bytes_);
    kept_->add(0, bytes_);
}

void Region::copy_initialization(std::uintptr_t to, const Region& from, std::uintptr_t from_address,
                                 std::size_t bytes) {
    if (!from.initialized_) return initialize(to, bytes);
    if (!initialized_) return;
    std::vector<bool> known(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        known[i] = from.is_initialized(from_address + i, 1);
    for (std::size_t i = 0; i < bytes; ++i) {
        if (known[i])
            initialize(to + i, 1);
        else
            forget_initialization(to + i, 1);
    }
}

} // namespace cuda_emulator
