#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The table of compilers' messages. Quotation marks in them are plain ('), and {aka …} is gone.
namespace diagnosis {

/// What stands for each `*`, if `text` begins as the pattern says.
std::optional<std::vector<std::string>> match(std::string_view text, std::string_view pattern);

/// One plain sentence, or empty for a message that no row fits.
std::string words_for(std::string_view text);

} // namespace diagnosis
