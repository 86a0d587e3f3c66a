#pragma once

#include <optional>
#include <string_view>

namespace diagnosis {

/// The header of a common name of the standard library, without `std::`: "vector" -> "vector", "sort" ->
/// "algorithm".
std::optional<std::string_view> header_of(std::string_view name);

} // namespace diagnosis
