#pragma once

#include <string>
#include <string_view>

namespace diagnosis {

/// What to type instead of a character that C++ does not know, which a compiler's message names: a
/// typographic quotation mark, a dash, a blank that is none. Empty for any other message.
std::string odd_character(std::string_view message);

} // namespace diagnosis
