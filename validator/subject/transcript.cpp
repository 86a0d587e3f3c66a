#include "subject/transcript.h"

#include "subject/digest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace subject {
namespace {

constexpr std::size_t max_kept_bytes = 4 << 20;

/// So much goes through the nearest cache at a time: copied, kept and digested while it is there.
constexpr std::size_t block = 8 << 10;
static_assert(block % Digest::stripe == 0);

/// What arithmetic makes of NaN. Its sign and payload follow the order of the operands, which compilers
/// choose.
template <class T>
bool is_quiet_nan(T value) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr int quiet = std::numeric_limits<T>::digits - 2;
    return std::isnan(value) && (std::bit_cast<Bits>(value) >> quiet & 1) != 0;
}

/// Whether two numbers of other bits are alike. Infinities and signalling NaN match nothing but their own
/// bits.
template <class T>
bool alike(T a, T b, Likeness likeness) {
    if (is_quiet_nan(a) && is_quiet_nan(b)) return true;
    if (likeness == Likeness::values) return a == 0 && b == 0;
    // A few units in the last place of the larger value.
    constexpr T relative = 64 * std::numeric_limits<T>::epsilon();
    return std::isfinite(a) && std::isfinite(b) &&
           std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

template <class T>
bool alike_arrays(std::span<const std::byte> a, std::span<const std::byte> b, Likeness likeness) {
    for (std::size_t at = 0; at + sizeof(T) <= a.size(); at += sizeof(T)) {
        if (std::memcmp(a.data() + at, b.data() + at, sizeof(T)) == 0) continue;
        T left{};
        T right{};
        std::memcpy(&left, a.data() + at, sizeof(T));
        std::memcpy(&right, b.data() + at, sizeof(T));
        if (!alike(left, right, likeness)) return false;
    }
    return true;
}

/// Each with what its transcript kept of it.
bool same(const Observation::Output& a, std::span<const std::byte> kept_a, const Observation::Output& b,
          std::span<const std::byte> kept_b, Likeness likeness) {
    if (a.kind != b.kind || a.bytes != b.bytes) return false;
    if (a.digest == b.digest) return true;
    if (likeness == Likeness::bits) return false;
    if (kept_a.size() != a.bytes || kept_b.size() != b.bytes) return false;
    switch (a.kind) {
    case ElementKind::float32: return alike_arrays<float>(kept_a, kept_b, likeness);
    case ElementKind::float64: return alike_arrays<double>(kept_a, kept_b, likeness);
    case ElementKind::bytes: break;
    }
    return false;
}

/// Two calls, each of its own transcript.
bool same(const Transcript& of_a, const Observation& a, const Transcript& of_b, const Observation& b,
          Likeness likeness) {
    if (a.function != b.function || a.damage != b.damage || a.death.has_value() != b.death.has_value())
        return false;
    if (a.death) return a.death->fate == b.death->fate && a.death->code == b.death->code;
    return a.reply == b.reply && a.message == b.message &&
           std::ranges::equal(a.outputs, b.outputs, [&](const auto& x, const auto& y) {
               return same(x, of_a.kept(x), y, of_b.kept(y), likeness);
           });
}

} // namespace

void Transcript::clear() {
    observations_.clear();
    kept_.clear();
}

void Transcript::add(Observation observation) {
    observations_.push_back(std::move(observation));
}

template <class Arrive>
Observation::Output Transcript::record(ElementKind kind, const std::byte* data, std::size_t bytes,
                                       Arrive arrive) {
    Observation::Output result{.kind = kind, .bytes = bytes, .at = data};
    if (bytes <= max_kept_bytes - kept_.size()) {
        result.kept_at = kept_.size();
        kept_.reserve(max_kept_bytes); // once: it takes no memory before it is written to
    }
    Digest digest;
    for (std::size_t at = 0; at < bytes; at += block) {
        const std::size_t size = std::min(block, bytes - at);
        arrive(at, size);
        digest.add(data + at, size);
        if (result.kept_at) kept_.insert(kept_.end(), data + at, data + at + size);
    }
    result.digest = digest.value();
    return result;
}

Observation::Output Transcript::output(ElementKind kind, const std::byte* data, std::size_t bytes) {
    return record(kind, data, bytes, [](std::size_t, std::size_t) {});
}

Observation::Output Transcript::take(ElementKind kind, std::byte* to, const std::byte* from,
                                     std::size_t bytes) {
    return record(kind, to, bytes,
                  [&](std::size_t at, std::size_t size) { std::memcpy(to + at, from + at, size); });
}

std::span<const std::byte> Transcript::kept(const Observation::Output& output) const {
    if (!output.kept_at) return {};
    return std::span(kept_).subspan(*output.kept_at, output.bytes);
}

bool same_behaviour(const Transcript& a, const Transcript& b, Likeness likeness) {
    return std::ranges::equal(
        a.observations(), b.observations(),
        [&](const Observation& x, const Observation& y) { return same(a, x, b, y, likeness); });
}

bool same_so_far(const Transcript& a, const Transcript& b, Likeness likeness) {
    const std::size_t made = a.observations().size();
    return made <= b.observations().size() &&
           same(a, a.observations()[made - 1], b, b.observations()[made - 1], likeness);
}

} // namespace subject
