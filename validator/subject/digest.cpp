#include "subject/digest.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace subject {
namespace {

/// Two lanes: the vector that x86-64 and aarch64 have in any case.
using Pair = std::uint64_t __attribute__((vector_size(16)));
constexpr std::size_t pairs = Digest::stripe / sizeof(Pair);

std::uint64_t fold(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x100'0000'01b3ULL;
    return hash ^ hash >> 29;
}

/// Each step is one-to-one in the lane and in the word, so that no single difference is ever lost. A product
/// with 2^17 + 1 is a shift and a sum, which such vectors have; products of 64 bits they have not.
Pair mix(Pair lanes, const std::byte* data) {
    Pair words;
    std::memcpy(&words, data, sizeof words);
    lanes ^= words;
    lanes += lanes << 17;
    return lanes ^ lanes >> 29;
}

/// Written out, because a loop over the lanes would keep them in memory.
template <std::size_t... I>
void add_stripe(std::array<Pair, pairs>& lanes, const std::byte* data, std::index_sequence<I...>) {
    ((lanes[I] = mix(lanes[I], data + I * sizeof(Pair))), ...);
}

} // namespace

void Digest::add(const std::byte* data, std::size_t bytes) {
    bytes_ += bytes;
    std::array<Pair, pairs> lanes;
    std::memcpy(lanes.data(), lanes_.data(), sizeof lanes);
    for (; bytes >= stripe; bytes -= stripe, data += stripe)
        add_stripe(lanes, data, std::make_index_sequence<pairs>());
    std::memcpy(lanes_.data(), lanes.data(), sizeof lanes);
    if (bytes > 0) std::memcpy(rest_.data(), data, bytes);
}

std::uint64_t Digest::value() const {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325ULL ^ bytes_;
    if (bytes_ >= stripe)
        for (const std::uint64_t lane : lanes_)
            hash = fold(hash, lane);
    const std::size_t rest = bytes_ % stripe;
    for (std::size_t at = 0; at < rest; at += sizeof hash) {
        std::uint64_t word = 0;
        std::memcpy(&word, rest_.data() + at, std::min(rest - at, sizeof word));
        hash = fold(hash, word);
    }
    return hash;
}

} // namespace subject
