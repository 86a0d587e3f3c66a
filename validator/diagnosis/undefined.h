#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Functions that the linker looked for in vain. Names are as `nm -C` prints them.
namespace diagnosis {

/// Why the judge found no function of the contract: not defined, misspelt, other parameters, other namespace.
std::string missing_function(const std::string& wanted, const std::vector<std::string>& defined);

/// The same of a function that only the submission itself calls.
std::string missing_helper(const std::string& wanted, const std::vector<std::string>& defined);

/// `exercise::f(contract::Matrix<float const>, std::span<int const, 18446744073709551615ul>)` as one would
/// write it: `f(Matrix<const float>, std::span<const int>)`.
std::string readable_signature(const std::string& demangled);

void replace_all(std::string& text, std::string_view from, std::string_view to);

} // namespace diagnosis
