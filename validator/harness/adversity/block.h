#pragma once

#include "harness/adversity/operand.h"
#include "harness/adversity/shifted.h"
#include "harness/compare.h"
#include "harness/poison.h"
#include "harness/random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

namespace harness {

/// A NaN with a payload, which spoils what it is read into, or a number from 1 to 2, since arithmetic on a
/// gap leaves a NaN as it was; or any integer.
template <class T>
T gap_value(std::uint64_t bits) {
    if constexpr (std::is_same_v<T, float>) {
        const std::uint32_t kind = bits >> 63 == 0 ? 0x7fc00000U : 0x3f800000U;
        return std::bit_cast<float>(kind | static_cast<std::uint32_t>(bits & 0x3fffffU));
    } else {
        return static_cast<T>(bits);
    }
}

/// Rows of elements with gaps between them: the memory of any view. A gap holds a pattern that nothing else
/// has, and is compared afterwards.
template <class T>
struct Block {
    std::size_t rows = 0;
    std::size_t cols = 0;
    std::size_t stride = 0;
    std::vector<std::size_t> shape; ///< as the learner knows it; its product is rows * cols
    Cells<T> cells;

    enum class Memory { own, none };

    Block(std::vector<std::size_t> shape_, std::size_t gap, Memory memory = Memory::own)
        : shape(std::move(shape_)) {
        cols = shape.empty() ? 1 : shape.back();
        rows = 1;
        for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
            rows *= shape[axis];
        stride = cols + gap;
        if (memory == Memory::own) cells.assign(rows * stride, poison_value<T>());
    }
    /// "6 x 3, rows 5 apart"
    std::string print() const {
        std::string text;
        for (const std::size_t extent : shape)
            text += (text.empty() ? "" : " x ") + std::to_string(extent);
        if (stride != cols) text += ", rows " + std::to_string(stride) + " apart";
        return text;
    }

    /// A block without columns may have more rows than can be counted.
    template <class Next>
    void fill(Next&& next) {
        if (cols == 0) return;
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c)
                cells[r * stride + c] = next();
    }
    /// No two gaps hold the same, so that a gap copied to another one shows, too.
    void fill_gaps(Random& random) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (is_gap(i)) cells[i] = gap_value<T>(random.bits());
    }
    Elements<T> elements() const { return {cells.data(), shape, stride == cols ? 0 : cols, stride}; }
    /// Without the gaps.
    std::vector<T> elements_only() const {
        std::vector<T> list;
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (!is_gap(i)) list.push_back(cells[i]);
        return list;
    }
    bool is_gap(std::size_t cell) const { return stride != cols && cell % stride >= cols; }
};

template <class T>
bool same_by_rule(const Rule& rule, const T& got, const T& want, std::size_t i) {
    if (is_poison(want) || rule.kind == Rule::Kind::bits || (rule.exact && rule.exact(i)))
        return same_bits(got, want);
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(want)) return is_own_nan(got);
        if (rule.kind == Rule::Kind::any_nan) return same_bits(got, want);
        if (want == 0 && got == 0) return true;
        if (rule.kind == Rule::Kind::values || std::isinf(want)) return same_bits(got, want);
        const double bound = rule.kind == Rule::Kind::within
                                 ? rule.bounds.at(i)
                                 : rule.tolerance.abs + rule.tolerance.rel * std::abs(double{want});
        return bound == 0 ? same_bits(got, want)
                          : std::isfinite(got) && std::abs(double{got} - double{want}) <= bound;
    } else if constexpr (std::is_same_v<T, std::uint16_t>) { // the bits of a bfloat16
        const auto is_nan = [](std::uint16_t bits) { return (bits & 0x7fff) > 0x7f80; };
        return is_nan(want) ? is_nan(got) : same_bits(got, want);
    } else {
        return same_bits(got, want);
    }
}

/// Whether both hold the same bits, gaps included.
template <class T>
bool same_cells(const Block<T>& a, const Block<T>& b) {
    return a.shape == b.shape && a.stride == b.stride &&
           (a.cells.empty() || std::memcmp(a.cells.data(), b.cells.data(), a.cells.size() * sizeof(T)) == 0);
}

/// Compares what a call left in an output with what the reference left there, gaps included.
template <class T>
bool expect_block(std::string_view what, const Block<T>& got, const Block<T>& want, const Rule& rule) {
    const bool same = same_cells(got, want);
    for (std::size_t i = 0; !same && i < got.cells.size(); ++i)
        if (got.is_gap(i) && !same_bits(got.cells[i], want.cells[i]))
            return expect_true("what lies between the rows of `" + std::string(what) + "` stays as it was (" +
                                   std::to_string(i % got.stride - got.cols + 1) + " behind row " +
                                   std::to_string(i / got.stride) + " was written to)",
                               false,
                               "what lies between the rows of `" + std::string(what) + "` is written to");
    switch (rule.kind) {
    case Rule::Kind::free: return true;
    case Rule::Kind::bits: note_exact(); break;
    case Rule::Kind::any_nan:
    case Rule::Kind::values: note_values(); break;
    case Rule::Kind::close:
    case Rule::Kind::within: note_tolerance(); break;
    }
    if (same) return true;
    return report(compare(got.elements(), want.elements(),
                          [&](const T& g, const T& w, std::size_t i) { return same_by_rule(rule, g, w, i); }),
                  what);
}

/// What ids are like, wherever they lie.
template <class I>
void describe_ids(std::string_view what, std::vector<I> ids, CallFacts& facts) {
    if (ids.empty()) return;
    std::ranges::sort(ids);
    if (std::ranges::adjacent_find(ids) != ids.end())
        facts.properties.insert("`" + std::string(what) + "` holds an id more than once");
    if (ids.back() > 0) facts.largest_id = std::max(facts.largest_id, static_cast<std::uint64_t>(ids.back()));
}

/// What the content of an input is like.
template <class T>
void describe_block(std::string_view what, const Block<T>& block, CallFacts& facts) {
    const std::string whose = "`" + std::string(what) + "` ";
    std::vector<T> ids;
    for (std::size_t i = 0; i < block.cells.size(); ++i) {
        if (block.is_gap(i)) continue;
        const T value = block.cells[i];
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(value)) facts.properties.insert(whose + "holds a NaN");
            if (std::isinf(value)) facts.properties.insert(whose + "holds an infinity");
            if (value == 0 && std::signbit(value)) facts.properties.insert(whose + "holds a -0");
            if (value != 0 && std::fpclassify(value) == FP_SUBNORMAL)
                facts.properties.insert(whose + "holds a denormal number");
        } else {
            ids.push_back(value);
            if (i > 0 && !block.is_gap(i - 1) && value > block.cells[i - 1] &&
                value - 1 == block.cells[i - 1])
                facts.properties.insert(whose + "holds an id that is one above the id before it");
        }
    }
    if constexpr (!std::is_floating_point_v<T>) describe_ids(what, std::move(ids), facts);
}

} // namespace harness
