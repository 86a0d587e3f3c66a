#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace diagnosis {

/// The header of a common name of the standard library, without `std::`: "vector" -> "vector", "sort" ->
/// "algorithm".
std::optional<std::string_view> header_of(std::string_view name);

/// The name in that table that `name` is nearest to, if one is near.
std::optional<std::string> nearest_std_name(const std::string& name);

} // namespace diagnosis
