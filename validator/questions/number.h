#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace questions {

/// Why no number could be read, as a sentence to the learner that repeats nothing of the answer.
struct NoNumber {
    std::string why;
};

/// The number in a learner's answer: 12,288 and 12_288; 3.1e-2; 3/4; 2^20; 12 * (4 + 1); 5 % as 0.05 unless
/// per cent is the unit; with or without the unit after it, or with one that it can be converted from: 12 KiB
/// for bytes. Names and functions are not accepted.
std::variant<double, NoNumber> read_number(std::string_view answer, const std::string& unit);

} // namespace questions
