#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

/// Values of a contract's types as text, enumerators by name and structs by their members.
namespace subject {

namespace detail {

struct Anything {
    template <class T>
    operator T() const;
};

template <class T, std::size_t... I>
constexpr bool has_members(std::index_sequence<I...>) {
    return requires {
        T{(static_cast<void>(I), Anything{})...};
    };
}

/// How many members an aggregate has, up to 8.
template <class T, std::size_t N = 8>
constexpr std::size_t count_members() {
    if constexpr (N == 0)
        return 0;
    else if constexpr (has_members<T>(std::make_index_sequence<N>{}))
        return N;
    else
        return count_members<T, N - 1>();
}

/// What the compiler calls the value: "contract::Code::ok", or "(contract::Code)77" where none is named so.
template <auto Value>
constexpr std::string_view spelling() {
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    constexpr std::size_t begin = text.find("Value = ") + 8;
    return text.substr(begin, text.find_first_of(";]", begin) - begin);
}

template <class E, std::size_t... I>
constexpr auto spellings(std::index_sequence<I...>) {
    return std::array<std::string_view, sizeof...(I)>{spelling<static_cast<E>(I)>()...};
}

} // namespace detail

/// The enumerator's name, or the number as what it is: a value that the enumeration does not have.
template <class E>
std::string enumerator(E value) {
    constexpr std::size_t max_names = 16;
    static constexpr auto names = detail::spellings<E>(std::make_index_sequence<max_names>{});
    const auto number = static_cast<long long>(static_cast<std::underlying_type_t<E>>(value));
    if (number >= 0 && static_cast<std::size_t>(number) < max_names) {
        const std::string_view name = names[static_cast<std::size_t>(number)];
        if (name.find('(') == std::string_view::npos) return std::string(name.substr(name.rfind(':') + 1));
    }
    return std::to_string(number) + " (no value of its enumeration)";
}

/// The shortest text that reads back to the same value; "{0.5, true, 7}" for a struct.
template <class T>
std::string print_value(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_enum_v<T>) {
        return enumerator(value);
    } else if constexpr (std::is_same_v<T, char>) {
        return {value};
    } else if constexpr (std::is_arithmetic_v<T>) {
        if constexpr (std::is_floating_point_v<T>)
            if (std::isnan(value)) return "nan";
        std::array<char, 64> text{};
        return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
    } else if constexpr (std::is_aggregate_v<T> && !std::is_array_v<T>) {
        const auto list = [](const auto&... members) {
            std::string text;
            ((text += (text.empty() ? "{" : ", ") + print_value(members)), ...);
            return text + "}";
        };
        constexpr std::size_t count = detail::count_members<T>();
        if constexpr (count == 1) {
            const auto& [a] = value;
            return list(a);
        } else if constexpr (count == 2) {
            const auto& [a, b] = value;
            return list(a, b);
        } else if constexpr (count == 3) {
            const auto& [a, b, c] = value;
            return list(a, b, c);
        } else if constexpr (count == 4) {
            const auto& [a, b, c, d] = value;
            return list(a, b, c, d);
        } else if constexpr (count == 5) {
            const auto& [a, b, c, d, e] = value;
            return list(a, b, c, d, e);
        } else if constexpr (count == 6) {
            const auto& [a, b, c, d, e, f] = value;
            return list(a, b, c, d, e, f);
        } else if constexpr (count == 7) {
            const auto& [a, b, c, d, e, f, g] = value;
            return list(a, b, c, d, e, f, g);
        } else {
            return "…";
        }
    } else {
        return "…";
    }
}

} // namespace subject
