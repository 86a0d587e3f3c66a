#include "subject/transcript.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace subject {
namespace {

constexpr std::size_t room = 4 << 20;

/// FNV-1a over 64-bit words: quick, and nobody here has a reason to look for collisions.
std::uint64_t digest(const std::byte* data, std::size_t bytes) {
    std::uint64_t hash = 0xcbf29ce484222325ULL ^ bytes;
    while (bytes > 0) {
        std::uint64_t word = 0;
        const std::size_t step = std::min<std::size_t>(bytes, sizeof word);
        std::memcpy(&word, data, step);
        hash = (hash ^ word) * 0x100000001b3ULL;
        hash ^= hash >> 29;
        data += step;
        bytes -= step;
    }
    return hash;
}

/// A few units in the last place of the larger value. NaN and infinities match nothing but their own bits.
template <class T>
bool close(T a, T b) {
    constexpr T relative = 64 * std::numeric_limits<T>::epsilon();
    return std::isfinite(a) && std::isfinite(b) &&
           std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

template <class T>
bool close_arrays(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    for (std::size_t at = 0; at + sizeof(T) <= a.size(); at += sizeof(T)) {
        if (std::memcmp(a.data() + at, b.data() + at, sizeof(T)) == 0) continue;
        T left{};
        T right{};
        std::memcpy(&left, a.data() + at, sizeof(T));
        std::memcpy(&right, b.data() + at, sizeof(T));
        if (!close(left, right)) return false;
    }
    return true;
}

bool same(const Observation::Output& a, const Observation::Output& b) {
    if (a.kind != b.kind || a.bytes != b.bytes) return false;
    if (a.digest == b.digest) return true;
    if (a.data.size() != a.bytes || b.data.size() != b.bytes) return false;
    switch (a.kind) {
    case ElementKind::float32: return close_arrays<float>(a.data, b.data);
    case ElementKind::float64: return close_arrays<double>(a.data, b.data);
    case ElementKind::bytes: break;
    }
    return false;
}

bool same(const Observation& a, const Observation& b) {
    if (a.function != b.function || a.damage != b.damage || a.death.has_value() != b.death.has_value())
        return false;
    if (a.death) return a.death->fate == b.death->fate && a.death->code == b.death->code;
    return a.reply == b.reply && a.message == b.message &&
           std::ranges::equal(a.outputs, b.outputs, [](const auto& x, const auto& y) { return same(x, y); });
}

} // namespace

void Transcript::clear() {
    observations_.clear();
    kept_ = 0;
}

void Transcript::add(Observation observation) {
    observations_.push_back(std::move(observation));
}

Observation::Output Transcript::output(ElementKind kind, const std::byte* data, std::size_t bytes) {
    Observation::Output result{kind, bytes, digest(data, bytes), {}};
    if (bytes <= room - kept_) {
        result.data.assign(data, data + bytes);
        kept_ += bytes;
    }
    return result;
}

bool same_behaviour(const Transcript& a, const Transcript& b) {
    return std::ranges::equal(a.observations(), b.observations(),
                              [](const Observation& x, const Observation& y) { return same(x, y); });
}

bool same_so_far(const Transcript& a, const Transcript& b) {
    const std::size_t made = a.observations().size();
    return made <= b.observations().size() && same(a.observations()[made - 1], b.observations()[made - 1]);
}

} // namespace subject
