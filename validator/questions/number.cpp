#include "questions/number.h"

#include "questions/units.h"
#include "questions/words.h"

#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

namespace questions {
namespace {

constexpr std::size_t max_number_bytes = 200;

/// What learners type or paste for the operators that the parser knows.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> spellings{{
    {"**", "^"},
    {"×", "*"},
    {"·", "*"},
    {"÷", "/"},
    {"−", "-"},
    {"\u00a0", " "},
    {"\u202f", " "},
    {"_", ""},
    {"μ", "µ"}, // the Greek letter for the sign
}};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/// Whether commas stand where thousands end: 1,234,567.8 but not 12,5 (a decimal comma, which could mean
/// either) and not 1,2,3.
bool is_grouped(std::string_view number) {
    const std::string_view whole = number.substr(0, std::min(number.find('.'), number.size()));
    const std::size_t first = whole.find(',');
    if (first == std::string_view::npos || first < 1 || first > 3) return false;
    if ((whole.size() - first) % 4 != 0) return false;
    for (std::size_t i = 0; i < whole.size(); ++i)
        if ((whole[i] == ',') != (i >= first && (i - first) % 4 == 0)) return false;
    return number.substr(whole.size()).find(',') == std::string_view::npos;
}

std::string without_thousands_separators(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = std::min(text.find_first_not_of("0123456789.,"), text.size());
        const bool grouped = is_grouped(text.substr(0, length));
        std::copy_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length),
                     std::back_inserter(out), [&](char letter) { return letter != ',' || !grouped; });
        text.remove_prefix(length);
        if (!text.empty()) {
            out += text.front();
            text.remove_prefix(1);
        }
    }
    return out;
}

/// Where the number that begins at `at` ends. An exponent counts only with a digit, so that no name is left
/// over.
std::size_t number_end(const std::string& text, std::size_t at) {
    const auto skip_digits = [&] {
        while (at < text.size() && is_digit(text[at]))
            ++at;
    };
    skip_digits();
    if (at < text.size() && text[at] == '.') ++at;
    skip_digits();
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        const std::size_t digit =
            at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-') ? at + 2 : at + 1;
        if (digit < text.size() && is_digit(text[digit])) {
            at = digit;
            skip_digits();
        }
    }
    return at;
}

/// Numbers, operators and brackets alone: the parser, which knows names and functions, never sees one.
bool is_arithmetic(const std::string& text) {
    bool any_number = false;
    for (std::size_t at = 0; at < text.size();) {
        if (is_digit(text[at]) || text[at] == '.') {
            at = number_end(text, at);
            any_number = true;
        } else if (std::string_view("-+*/^() ").find(text[at]) != std::string_view::npos) {
            ++at;
        } else {
            return false;
        }
    }
    return any_number;
}

/// Takes a unit off the end of `text` and returns what it is worth in `asked`; nothing where it is of another
/// kind.
std::optional<double> take_unit(std::string& text, const std::string& asked) {
    // A unit of several words, "partial sums", can only be the one that was asked for.
    const std::string low = lower_case(text);
    if (!asked.empty() && asked != "%" && low.size() > asked.size() && low.ends_with(lower_case(asked))) {
        text.resize(text.size() - asked.size());
        return 1;
    }
    const std::size_t last = text.find_last_of("0123456789.)% ");
    const std::size_t begin = last == std::string::npos ? 0 : last + 1;
    if (begin == 0 || begin == text.size()) return 1;
    const auto worth = factor(std::string_view(text).substr(begin), asked);
    if (worth) text.resize(begin);
    return worth;
}

NoNumber unreadable() {
    return {"That could not be read as a number. These are fine: `1234.5`, `1,234.5`, `3.1e-2`, `3/4`, `2^20 "
            "* 3`."};
}

} // namespace

std::variant<double, NoNumber> read_number(std::string_view answer, const std::string& unit) {
    if (answer.size() > max_number_bytes) return NoNumber{"That is too long for a number."};
    std::string text = trimmed(answer);
    if (text.empty()) return NoNumber{"The answer is empty."};
    for (const auto& [from, to] : spellings)
        replace_all(text, from, to);
    if (text.front() == '=') text = trimmed(std::string_view(text).substr(1));
    const auto worth = take_unit(text, unit);
    if (!worth)
        return unit.empty() ? unreadable() : NoNumber{"That unit does not fit: answer in " + unit + "."};
    text = trimmed(text);
    const bool per_cent = !text.empty() && text.back() == '%';
    if (per_cent) text.pop_back();
    text = trimmed(without_thousands_separators(text));
    if (!is_arithmetic(text)) return unreadable();
    const NoNumber too_large{"That number is beyond what can be compared."};
    if (std::isinf(std::strtod(text.c_str(), nullptr))) return too_large; // muParser cannot read such a one
    try {
        mu::Parser parser;
        parser.SetExpr(text);
        const double value = parser.Eval() * *worth;
        if (parser.GetNumResults() != 1) return unreadable();
        if (!std::isfinite(value)) return too_large;
        return per_cent && unit != "%" ? value / 100 : value;
    } catch (const mu::ParserError&) {
        return unreadable();
    }
}

} // namespace questions
