#pragma once

#include "harness/elements.h"
#include "harness/places.h"
#include "model/sample.h"
#include "subject/aggregate.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace harness {

/// Ways in which one element differs from what is right.
enum class Difference : std::uint8_t {
    value = 1,         ///< a number that is wrong
    rounding = 2,      ///< a number that is a little off
    never_written = 4, ///< still what it was before the call
    written = 8,       ///< to be left alone
    zero_sign = 16,
    nan_bits = 32,
    nan_for_number = 64,
    number_for_nan = 128,
};

/// The result of comparing two tensors.
struct Comparison {
    std::vector<std::size_t> got_shape; ///< set when the shapes differ: nothing else was compared
    std::vector<std::size_t> want_shape;
    std::vector<std::uint64_t> index; ///< of the first difference
    std::string expected;
    std::string got;
    double worst_abs = 0;
    double worst_rel = 0;
    std::uint64_t different = 0;
    std::uint64_t total = 0;
    std::uint8_t differences = 0;        ///< the kinds of Difference that were seen
    bool untouched = false;              ///< all of `got` is still poison
    bool carried = false;                ///< the first difference was computed from poison
    bool should_be_untouched = false;    ///< ... and that is what was asked for
    std::optional<model::Sample> sample; ///< around the first difference
    const void* of = nullptr;            ///< where the first element lies that was compared
    Places places;                       ///< of all differences

    bool same() const { return different == 0 && got_shape == want_shape; }
};

/// The shortest text that reads back to the same value; "-0", "inf" and "nan" as such.
template <class T>
std::string print_value(T value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_enum_v<T>) {
        return subject::enumerator(value);
    } else {
        if constexpr (std::is_floating_point_v<T>)
            if (std::isnan(value)) return "nan";
        std::array<char, 64> text{};
        const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
        return {text.data(), end};
    }
}

template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
bool is_poison(const T& value) {
    return same_bits(value, poison_value<T>());
}

/// A NaN of the submission's own making.
template <class T>
bool is_own_nan(const T& value) {
    return std::isnan(value) && !is_poison(value) && !is_made_from_poison(value);
}

template <class T>
bool all_poison(const Elements<T>& elements) {
    for (std::size_t i = 0; i < elements.count(); ++i)
        if (!is_poison(elements[i])) return false;
    return elements.count() > 0;
}

template <class G, class W>
Difference difference_of(const G& got, const W& want) {
    if (is_poison(got)) return Difference::never_written;
    if (is_poison(want)) return Difference::written;
    if constexpr (std::is_floating_point_v<G> && std::is_floating_point_v<W>) {
        constexpr double little = 1e-3;
        if (std::isnan(got)) return std::isnan(want) ? Difference::nan_bits : Difference::nan_for_number;
        if (std::isnan(want)) return Difference::number_for_nan;
        if (got == 0 && want == 0) return Difference::zero_sign;
        const double distance = std::abs(static_cast<double>(got) - static_cast<double>(want));
        if (distance <= little * std::abs(static_cast<double>(want))) return Difference::rounding;
    }
    return Difference::value;
}

/// Counts element i as different, and keeps the first and the worst.
template <class G, class W>
void count_difference(Comparison& comparison, const Elements<G>& got, G g, W w, std::size_t i) {
    comparison.differences |= static_cast<std::uint8_t>(difference_of(g, w));
    const std::uint64_t cols = got.shape.empty() ? 1 : got.shape.back();
    if (comparison.different++ == 0) {
        comparison.places = Places(comparison.total / cols, cols);
        comparison.index = got.index(i);
        comparison.expected = print_value(w);
        comparison.got = is_poison(g) ? "nothing (never written)" : print_value(g);
        comparison.carried = is_made_from_poison(g);
    }
    comparison.places.add(i / cols, i % cols);
    const double distance = std::abs(static_cast<double>(g) - static_cast<double>(w));
    const double relative = distance == 0 ? 0 : distance / std::abs(static_cast<double>(w)); // -0 against 0
    constexpr double infinity = std::numeric_limits<double>::infinity();
    comparison.worst_abs = std::max(comparison.worst_abs, std::isnan(distance) ? infinity : distance);
    comparison.worst_rel = std::max(comparison.worst_rel, std::isnan(relative) ? infinity : relative);
}

/// The elements around a difference.
template <class G, class W>
model::Sample sample_around(const Elements<G>& got, const Elements<W>& want,
                            const std::vector<std::uint64_t>& index) {
    model::Sample sample;
    const std::uint64_t cols = got.shape.empty() ? 1 : got.shape.back();
    const std::uint64_t rows = got.count() / cols;
    std::uint64_t row = 0;
    for (std::size_t axis = 0; axis + 1 < index.size(); ++axis)
        row = row * got.shape[axis] + index[axis];
    const auto begin = [](std::uint64_t at, std::uint64_t all, std::uint64_t shown) {
        return at < shown ? 0 : std::min(at - shown / 4, all - shown);
    };
    sample.rows = std::min(rows, model::Sample::max_rows);
    sample.cols = std::min(cols, model::Sample::max_cols);
    sample.first_row = begin(row, rows, sample.rows);
    sample.first_col = begin(index.empty() ? 0 : index.back(), cols, sample.cols);
    for (std::uint64_t r = 0; r < sample.rows; ++r)
        for (std::uint64_t c = 0; c < sample.cols; ++c) {
            const std::size_t i = (sample.first_row + r) * cols + sample.first_col + c;
            const W expected = want[i];
            sample.expected.push_back(static_cast<double>(expected));
            sample.expected_blank.push_back(is_poison(expected));
            sample.got.push_back(static_cast<double>(got[i]));
            sample.got_blank.push_back(is_poison(got[i]));
        }
    return sample;
}

/// Compares element by element where the shapes agree; `same` decides for one element.
template <class G, class W, class Same>
Comparison compare(const Elements<G>& got, const Elements<W>& want, Same&& same) {
    Comparison comparison;
    comparison.of = got.data;
    if (got.shape != want.shape) {
        comparison.got_shape = got.shape;
        comparison.want_shape = want.shape;
        return comparison;
    }
    comparison.total = got.count();
    for (std::size_t i = 0; i < comparison.total; ++i)
        if (!same(got[i], want[i], i)) count_difference(comparison, got, got[i], want[i], i);
    comparison.untouched = comparison.different > 0 && all_poison(got);
    if (comparison.different > 0) comparison.sample = sample_around(got, want, comparison.index);
    return comparison;
}

template <class T>
Comparison compare_bits(const Elements<T>& got, const Elements<T>& want) {
    return compare(got, want, [](const T& g, const T& w, std::size_t) { return same_bits(g, w); });
}

/// NaN-strict: a difference unless both are finite and within the bound, or `want` is NaN or infinite and
/// `got` matches it in kind.
template <class G, class W, class Bound>
Comparison compare_values(const Elements<G>& got, const Elements<W>& want, Bound&& bound) {
    return compare(got, want, [&](G g, W w, std::size_t i) {
        if (std::isnan(w)) return is_own_nan(g);
        if (std::isinf(w)) return static_cast<double>(g) == static_cast<double>(w);
        return std::isfinite(g) && std::abs(static_cast<double>(g) - static_cast<double>(w)) <= bound(i);
    });
}

template <class T>
Comparison compare_untouched(const Elements<T>& got) {
    Comparison comparison;
    comparison.should_be_untouched = true;
    comparison.of = got.data;
    comparison.total = got.count();
    for (std::size_t i = 0; i < comparison.total; ++i)
        if (!is_poison(got[i])) {
            comparison.differences |= static_cast<std::uint8_t>(Difference::written);
            if (comparison.different++ == 0) {
                comparison.index = got.index(i);
                comparison.expected = "untouched";
                comparison.got = print_value(got[i]);
            }
        }
    return comparison;
}

// What most suites use is compiled once, with the harness.
extern template void count_difference(Comparison&, const Elements<float>&, float, float, std::size_t);
extern template void count_difference(Comparison&, const Elements<float>&, float, double, std::size_t);
extern template void count_difference(Comparison&, const Elements<double>&, double, double, std::size_t);
extern template model::Sample sample_around(const Elements<float>&, const Elements<float>&,
                                            const std::vector<std::uint64_t>&);
extern template model::Sample sample_around(const Elements<float>&, const Elements<double>&,
                                            const std::vector<std::uint64_t>&);
extern template model::Sample sample_around(const Elements<double>&, const Elements<double>&,
                                            const std::vector<std::uint64_t>&);
extern template Comparison compare_bits(const Elements<float>&, const Elements<float>&);
extern template Comparison compare_untouched(const Elements<float>&);

} // namespace harness
