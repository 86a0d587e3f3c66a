#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace questions {

/// What one `written` is in `asked`: 1024 for KiB where bytes are asked for, 1/8 for bits; nothing where the
/// two do not measure the same thing. Singular, plural and capitals do not matter where they cannot be
/// confused: kB and KB are one, Mb is none.
std::optional<double> factor(std::string_view written, const std::string& asked);

} // namespace questions
