#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace build {

/// The names from the output of `nm -C --defined-only`, in its order: "exercise::lookup(int)". At most 200.
std::vector<std::string> parse_symbols(std::string_view output);

} // namespace build
