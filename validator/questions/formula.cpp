#include "questions/formula.h"

#include "model/errors.h"
#include "questions/words.h"

#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace questions {
namespace {

constexpr std::size_t max_number_bytes = 200;

/// What learners type or paste for the operators that the parser knows.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> spellings{{
    {"**", "^"},
    {"×", "*"},
    {"·", "*"},
    {"÷", "/"},
    {"−", "-"},
    {"\u00a0", " "},
    {"\u202f", " "},
    {"_", ""},
}};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() > end.size() &&
           lower_case(text).compare(text.size() - end.size(), end.size(), end) == 0;
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

} // namespace

double evaluate(const std::string& formula, const std::map<std::string, double>& variables) {
    std::map<std::string, double> values = variables; // the parser wants addresses it may write to
    try {
        mu::Parser parser;
        for (auto& [name, value] : values)
            parser.DefineVar(name, &value);
        parser.SetExpr(formula);
        const double result = parser.Eval();
        if (std::isfinite(result)) return result;
    } catch (const mu::ParserError& error) {
        throw model::ContentError("questions.json", "the formula \"" + formula + "\"", error.GetMsg());
    }
    throw model::ContentError("questions.json", "the formula \"" + formula + "\"", "has no finite value");
}

std::optional<double> read_number(std::string_view answer, const std::string& unit) {
    if (answer.size() > max_number_bytes) return std::nullopt;
    std::string text = trimmed(answer);
    for (const auto& [from, to] : spellings)
        replace_all(text, from, to);
    if (!text.empty() && text.front() == '=') text = trimmed(std::string_view(text).substr(1));
    if (!unit.empty() && ends_with(text, lower_case(unit))) text.resize(text.size() - unit.size());
    text = trimmed(text);
    const bool per_cent = !text.empty() && text.back() == '%';
    if (per_cent) text.pop_back();
    text = trimmed(without_thousands_separators(text));
    if (!is_arithmetic(text)) return std::nullopt;
    try {
        mu::Parser parser;
        parser.SetExpr(text);
        const double value = parser.Eval();
        if (parser.GetNumResults() != 1 || !std::isfinite(value)) return std::nullopt;
        return per_cent && unit != "%" ? value / 100 : value;
    } catch (const mu::ParserError&) {
        return std::nullopt;
    }
}

} // namespace questions
