#pragma once

#include <string_view>

namespace text {

/// What a reader expects of a character beyond ASCII on a terminal that has nothing else: "<=" for ≤; empty
/// where there is no usual spelling.
std::string_view ascii_spelling(char32_t code);

} // namespace text
