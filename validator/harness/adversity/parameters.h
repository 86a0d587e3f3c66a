#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/tensor.h"
#include "harness/adversity/block_operand.h"
#include "harness/adversity/contents.h"
#include "harness/adversity/far.h"
#include "harness/adversity/parameter.h"
#include "harness/adversity/value_operand.h"

#include <cmath>
#include <limits>
#include <utility>

/// The roles that a parameter can have. A role knows what can be adverse about its arguments.
namespace harness {

/// Which of an argument's sizes the contract compares with others and refuses.
enum class Checked {
    nothing,
    rows,
    cols,
    all,
    limit_and_cols ///< the number of rows limits positions; a table of no rows has none
};

/// A way of filling real numbers that is worth a call of its own.
struct NamedFill {
    std::string words; ///< "NaN with payloads, infinities and denormals in `table`"
    Fill fill;
};

/// What a block of real numbers holds.
struct Contents {
    Fill ordinary = fractions();
    std::vector<NamedFill> special;
};

/// What a block holds that is copied: every bit counts.
inline Contents copied() {
    return {.ordinary = normal(),
            .special = {{"NaN payloads, infinities and denormals", any_bits()},
                        {"zeros of both signs", signed_zeros()}}};
}

/// What a block holds that is added element by element: the sum of -0 and 0 is 0, and of two -0 is -0.
inline Contents added() {
    return {.ordinary = with_negative_zeros(normal()),
            .special = {{"NaN payloads, infinities and denormals", any_bits()},
                        {"nothing but 0", constant(0.0F)},
                        {"nothing but -0", constant(-0.0F)}}};
}

/// What a block holds that is multiplied by another and added up: 0 times infinity is NaN, and so is 0 times
/// NaN, however many zeros there are.
inline Contents factors(Fill ordinary) {
    return {.ordinary = std::move(ordinary),
            .special = {{"NaN and infinities", nan_and_infinity()},
                        {"some NaN", some_nan()},
                        {"some infinities", some_infinities()},
                        {"mostly zeros", mostly_zeros()}}};
}

namespace detail {

/// One size of an argument, other than the sizes of the call would have it.
struct Change {
    std::string words;
    std::size_t axis_from_end = 0;
    std::ptrdiff_t by = 0; ///< more or less than it should be
    bool none = false;     ///< or nothing at all
};

/// Of an argument that has this shape otherwise. Where it has no elements, sizes that are right but for 2^32
/// cost no memory.
std::vector<Change> shape_changes(Checked checked, const std::string& name,
                                  const std::vector<std::size_t>& shape);

/// The shape of an argument in this call, where a special case may have changed it.
std::vector<std::size_t> shape_of(const std::vector<Dim>& dims, const Extents& extents, const Change* change);

template <class View, class T>
Parameter<View> block(std::string name, std::vector<Dim> dims, Contents contents, Checked checked,
                      bool has_gaps, bool written, bool starts_as_poison,
                      typename BlockOperand<View, T>::MakeView view) {
    const auto changes_of = [=](const Extents& extents) {
        return shape_changes(checked, name, shape_of(dims, extents, nullptr));
    };
    Parameter<View> parameter(name);
    parameter.element_bytes = sizeof(T);
    parameter.has_gaps = has_gaps;
    parameter.written = written;
    parameter.in_place = !starts_as_poison;
    parameter.specials = [=](const Extents& extents) {
        std::vector<Special> list;
        for (const NamedFill& each : contents.special)
            list.push_back({each.words + " in `" + name + "`", false});
        for (const Change& change : changes_of(extents))
            list.push_back({change.words, true});
        return list;
    };
    parameter.make = [=](const Extents& extents, const Shaping& shaping, Random& random) {
        const std::size_t fills = contents.special.size();
        const bool reshaped = shaping.special && *shaping.special >= fills;
        const std::vector<Change> changes = changes_of(extents);
        Block<T> block(shape_of(dims, extents, reshaped ? &changes[*shaping.special - fills] : nullptr),
                       shaping.gap);
        const Fill& fill =
            shaping.special && !reshaped ? contents.special[*shaping.special].fill : contents.ordinary;
        const Fill rough = normal();
        block.fill_gaps(random);
        if (!starts_as_poison)
            block.fill([&] {
                const float number = shaping.rough ? rough(random) : fill(random);
                // A signalling NaN is none after any arithmetic.
                return static_cast<T>(shaping.power_of_two == 0 ? number
                                                                : std::ldexp(number, shaping.power_of_two));
            });
        return std::make_unique<BlockOperand<View, T>>(std::move(block), view, written, shaping.null);
    };
    parameter.make_hollow = [=](const Extents& extents, FarMemory& memory) {
        return hollow_operand<View, T>(shape_of(dims, extents, nullptr), memory, view);
    };
    if constexpr (std::is_same_v<View, std::span<T>> || std::is_same_v<View, std::span<const T>>) {
        parameter.row_count = [](const Extents&) { return std::size_t{1}; };
        parameter.width = [=](const Extents& extents) { return dims[0].of(extents); };
    }
    if constexpr (std::is_same_v<View, contract::Tensor3<T>> ||
                  std::is_same_v<View, contract::Tensor3<const T>>) {
        parameter.row_count = [=](const Extents& extents) {
            return dims[0].of(extents) * dims[1].of(extents);
        };
        parameter.width = [=](const Extents& extents) { return dims[2].of(extents); };
    }
    if constexpr (std::is_same_v<View, contract::Matrix<T>> ||
                  std::is_same_v<View, contract::Matrix<const T>>) {
        parameter.row_count = [=](const Extents& extents) { return dims[0].of(extents); };
        parameter.width = [=](const Extents& extents) { return dims[1].of(extents); };
        parameter.make_far = [=](const Extents& extents, std::size_t stride,
                                 const std::vector<std::size_t>& rows, FarMemory memory, Random& random) {
            using Far = FarOperand<View, T>;
            const std::size_t width = dims[1].of(extents);
            std::vector<T> content;
            const typename Far::Shape shape{dims[0].of(extents), width, stride, rows};
            for (std::size_t i = 0; i < rows.size() * shape.run(); ++i)
                content.push_back(starts_as_poison ? poison_value<T>()
                                                   : static_cast<T>(contents.ordinary(random)));
            return std::make_unique<Far>(shape, memory, written, std::move(content));
        };
    }
    return parameter;
}

template <class T>
contract::Matrix<T> matrix_view(const Block<std::remove_const_t<T>>& block, std::remove_const_t<T>* data) {
    return {data, block.shape[0], block.shape[1], block.stride};
}
template <class T>
contract::Tensor3<T> tensor_view(const Block<std::remove_const_t<T>>& block, std::remove_const_t<T>* data) {
    return {data, block.shape[0], block.shape[1], block.shape[2]};
}
template <class T>
std::span<T> span_view(const Block<std::remove_const_t<T>>& block, std::remove_const_t<T>* data) {
    return {data, block.shape[0]};
}

} // namespace detail

/// A matrix that is read.
Parameter<contract::Matrix<const float>>
matrix_in(std::string name, Dim rows, Dim cols, Contents contents = {}, Checked checked = Checked::nothing);
/// A matrix that is written, whatever it held before.
template <class T = float>
Parameter<contract::Matrix<T>> matrix_out(std::string name, Dim rows, Dim cols,
                                          Checked checked = Checked::all) {
    return detail::block<contract::Matrix<T>, T>(std::move(name), {rows, cols}, {}, checked, true, true, true,
                                                 detail::matrix_view<T>);
}
/// A matrix that something is added to.
Parameter<contract::Matrix<float>> matrix_sum(std::string name, Dim rows, Dim cols, Contents contents = {},
                                              Checked checked = Checked::all);
Parameter<contract::Tensor3<const float>> tensor_in(std::string name, Dim batch, Dim time, Dim channels,
                                                    Contents contents = {},
                                                    Checked checked = Checked::nothing);
template <class T = float>
Parameter<contract::Tensor3<T>> tensor_out(std::string name, Dim batch, Dim time, Dim channels,
                                           Checked checked = Checked::all) {
    return detail::block<contract::Tensor3<T>, T>(std::move(name), {batch, time, channels}, {}, checked,
                                                  false, true, true, detail::tensor_view<T>);
}
Parameter<std::span<const float>> span_in(std::string name, Dim count, Contents contents = {},
                                          Checked checked = Checked::cols);
template <class T = float>
Parameter<std::span<T>> span_out(std::string name, Dim count, Checked checked = Checked::cols) {
    return detail::block<std::span<T>, T>(std::move(name), {count}, {}, checked, false, true, true,
                                          detail::span_view<T>);
}
Parameter<std::span<float>> span_sum(std::string name, Dim count, Contents contents = {},
                                     Checked checked = Checked::cols);

/// A value that a suite names, and what is special about it.
template <class T>
struct Named {
    std::string words;
    T value;
    bool refused = false;
};

/// A number, a flag or a struct of options. `ordinary` gives one and says it in words; `special` lists those
/// at which implementations go wrong, given the sizes of the call; `numbers` are those in a struct that may
/// explain why calls fail.
template <class T>
Parameter<T> value(std::string name, std::function<Named<T>(const Extents&, Random&)> ordinary,
                   std::function<std::vector<Named<T>>(const Extents&)> special, Numbers<T> numbers = {}) {
    Parameter<T> parameter(name);
    parameter.is_value = true;
    parameter.specials = [=](const Extents& extents) {
        std::vector<Special> list;
        for (const Named<T>& each : special(extents))
            list.push_back({"`" + name + "` is " + each.words, each.refused});
        return list;
    };
    parameter.make = [=](const Extents& extents, const Shaping& shaping, Random& random) {
        Named<T> chosen = shaping.special ? special(extents).at(*shaping.special) : ordinary(extents, random);
        return std::make_unique<ValueOperand<T>>(std::move(chosen.value), std::move(chosen.words), numbers);
    };
    return parameter;
}

// What most suites use is compiled once, with the harness.
extern template Parameter<contract::Matrix<float>> matrix_out(std::string, Dim, Dim, Checked);
extern template Parameter<contract::Matrix<contract::TokenId>> matrix_out(std::string, Dim, Dim, Checked);
extern template Parameter<contract::Tensor3<float>> tensor_out(std::string, Dim, Dim, Dim, Checked);
extern template Parameter<std::span<float>> span_out(std::string, Dim, Checked);
extern template Parameter<std::span<double>> span_out(std::string, Dim, Checked);
extern template Parameter<bool> value(std::string, std::function<Named<bool>(const Extents&, Random&)>,
                                      std::function<std::vector<Named<bool>>(const Extents&)>, Numbers<bool>);
extern template Parameter<float> value(std::string, std::function<Named<float>(const Extents&, Random&)>,
                                       std::function<std::vector<Named<float>>(const Extents&)>,
                                       Numbers<float>);
extern template Parameter<contract::TokenId>
    value(std::string, std::function<Named<contract::TokenId>(const Extents&, Random&)>,
          std::function<std::vector<Named<contract::TokenId>>(const Extents&)>, Numbers<contract::TokenId>);
extern template Parameter<std::uint64_t>
    value(std::string, std::function<Named<std::uint64_t>(const Extents&, Random&)>,
          std::function<std::vector<Named<std::uint64_t>>(const Extents&)>, Numbers<std::uint64_t>);

/// Seeds, and other numbers of 64 bits of which every value is allowed, half of the time a small one; 0, 1,
/// 2^32 and 2^63 and their neighbours.
Parameter<std::uint64_t> any_number_64(std::string name);
const std::vector<Named<std::uint64_t>>& ends_of_64_bits();

/// How many positions come before `time` others in a table of `positions` rows: `ordinary` of them, or so
/// many that the table just suffices, just does not, or that the sum of both wraps around.
Parameter<std::size_t> start(std::string name, Dim ordinary, Dim time, Dim positions);

} // namespace harness
