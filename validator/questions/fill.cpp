#include "questions/fill.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace questions {
namespace {

constexpr double exact_below = 9007199254740992; // 2^53

std::string grouped(std::string digits) {
    const std::size_t sign = digits.front() == '-' ? 1 : 0;
    for (std::size_t at = digits.size(); at > sign + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string shown(double value, Digits digits) {
    const bool whole = value == std::floor(value) && std::abs(value) < exact_below;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), whole ? "%.0f" : "%.6g", value);
    return whole && digits == Digits::grouped ? grouped(text.data()) : text.data();
}

} // namespace

std::string fill(std::string_view text, const Variables& variables, Digits digits) {
    std::string out;
    while (true) {
        const std::size_t begin = text.find("${");
        out += text.substr(0, begin);
        if (begin == std::string_view::npos) return out;
        const std::size_t end = text.find('}', begin);
        if (end == std::string_view::npos) throw FormulaError("A ${ is not closed.");
        out += shown(evaluate(std::string(text.substr(begin + 2, end - begin - 2)), variables), digits);
        text.remove_prefix(end + 1);
    }
}

} // namespace questions
