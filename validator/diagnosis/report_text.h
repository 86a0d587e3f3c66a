#pragma once

#include <string>
#include <string_view>

/// What the reports of all sanitizers need.
namespace diagnosis {

/// Addresses and process numbers differ from run to run; a report of the same seed does not. "at
/// 0x602000000098" becomes "at 0x...", and "==4711==ERROR" becomes "ERROR".
std::string without_addresses(std::string_view text);

/// The number after `file:` at its first mention that has one, whatever folder it is in; 0 where there is
/// none.
int line_after(std::string_view text, const std::string& file);

} // namespace diagnosis
