#pragma once

#include <string>
#include <string_view>

/// Texts made comparable. Letters beyond ASCII are kept as they are.
namespace questions {

std::string trimmed(std::string_view text);

std::string lower_case(std::string_view text);

/// Printed output by what it says: blanks and line ends matter only where they keep two words or numbers
/// apart.
std::string as_output(std::string_view text);

} // namespace questions
