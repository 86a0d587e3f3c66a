#include "questions/words.h"

#include <algorithm>

namespace questions {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

bool is_blank(char letter) {
    return blanks.find(letter) != std::string_view::npos;
}

char to_lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool is_letter_or_digit(char letter) {
    const char low = to_lower(letter);
    return (low >= 'a' && low <= 'z') || (low >= '0' && low <= '9') ||
           static_cast<unsigned char>(low) >= 0x80;
}

/// Two of these side by side read differently with and without a blank: 7 8, 1 -2, a .5
bool joins(char letter) {
    return is_letter_or_digit(letter) || letter == '-' || letter == '+' || letter == '.' || letter == '_';
}

} // namespace

std::string trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

std::string lower_case(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), to_lower);
    return out;
}

std::string as_output(std::string_view text) {
    std::string out;
    bool after_blank = false;
    for (const char letter : text) {
        if (is_blank(letter)) {
            after_blank = true;
            continue;
        }
        if (after_blank && !out.empty() && joins(out.back()) && joins(letter)) out += ' ';
        out += letter;
        after_blank = false;
    }
    return out;
}

} // namespace questions
