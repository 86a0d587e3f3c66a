#pragma once

#include <string>
#include <string_view>

namespace diff {

/// The unified diff that leads from `base` to `changed`, with three lines of context; empty where they are
/// equal. An empty line of the context stays an empty line, without the blank before it.
std::string make(std::string_view base, std::string_view changed, const std::string& base_name,
                 const std::string& changed_name);

/// How much of `changed`, from 0 to 1, are lines of `base`.
double shared(std::string_view base, std::string_view changed);

} // namespace diff
