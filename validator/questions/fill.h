#pragma once

#include "questions/formula.h"

#include <string>
#include <string_view>

namespace questions {

/// How numbers look in a text.
enum class Digits {
    grouped, ///< 12,288: for sentences
    plain,   ///< 12288: for what a program prints
};

/// The text with the value of each `${formula}` in its place: whole numbers to their last digit, others to
/// six significant ones. Throws FormulaError.
std::string fill(std::string_view text, const Variables& variables, Digits digits);

} // namespace questions
