#include "runtime/arena.h"

#include <algorithm>
#include <iterator>
#include <sys/mman.h>

namespace cuda_emulator {

char* Arena::take(std::size_t bytes) {
    const auto fits = [bytes](const auto& piece) { return piece.second >= bytes; };
    auto found = std::find_if(free_.begin(), free_.end(), fits);
    if (found == free_.end()) {
        if (!add_range(bytes)) return nullptr;
        found = std::find_if(free_.begin(), free_.end(), fits);
    }
    const auto [first, size] = *found;
    free_.erase(found);
    if (size > bytes) free_.emplace(first + bytes, size - bytes);
    return first;
}

void Arena::give_back(char* first, std::size_t bytes) {
    auto piece = free_.emplace(first, bytes).first;
    const auto next = std::next(piece);
    if (next != free_.end() && first + bytes == next->first) {
        piece->second += next->second;
        free_.erase(next);
    }
    if (piece != free_.begin())
        if (const auto before = std::prev(piece); before->first + before->second == first) {
            before->second += piece->second;
            free_.erase(piece);
            piece = before;
        }
    // A large allocation has a range to itself, and its pages go back to the system with it.
    const auto range = ranges_.find(piece->first);
    if (range == ranges_.end() || piece->second != range->second || range->second <= usual_range) return;
    munmap(range->first - margin, margin + range->second + margin);
    ranges_.erase(range);
    free_.erase(piece);
}

bool Arena::owns(const void* address) const {
    const auto* byte = static_cast<const char*>(address);
    auto next = ranges_.upper_bound(const_cast<char*>(byte + margin));
    if (next == ranges_.begin()) return false;
    const auto& [first, bytes] = *std::prev(next);
    return byte >= first - margin && byte < first + bytes + margin;
}

bool Arena::add_range(std::size_t bytes) {
    bytes = std::max(bytes, usual_range);
    void* mapped = mmap(nullptr, margin + bytes + margin, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return false;
    char* first = static_cast<char*>(mapped) + margin;
    ranges_.emplace(first, bytes);
    free_.emplace(first, bytes);
    return true;
}

} // namespace cuda_emulator
