#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace model {

/// An enumerator and the word that stands for it in texts.
template <class Enum>
struct Named {
    Enum value;
    std::string_view name;
};

/// All enumerators of a type with their words: the one place that knows both.
template <class Enum, std::size_t N>
using Names = std::array<Named<Enum>, N>;

template <class Enum, std::size_t N>
constexpr std::string_view name_of(const Names<Enum, N>& names, Enum value) {
    return std::ranges::find(names, value, &Named<Enum>::value)->name;
}

template <class Enum, std::size_t N>
constexpr std::optional<Enum> value_of(const Names<Enum, N>& names, std::string_view name) {
    const auto found = std::ranges::find(names, name, &Named<Enum>::name);
    return found == names.end() ? std::nullopt : std::optional(found->value);
}

} // namespace model
