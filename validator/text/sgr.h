#pragma once

#include <array>
#include <string_view>

/// The parameters of the escape sequences that give our text its looks, and the only ones. A colour comes
/// with its own background, since no default colour is readable on light and on dark terminals alike;
/// everything else keeps the colours of the terminal. tests/unit/text/sgr_test.cpp measures the contrasts.
namespace text::sgr {

inline constexpr std::string_view bold = "1";
inline constexpr std::string_view italic = "3";
inline constexpr std::string_view underlined = "4";
inline constexpr std::string_view good = "30;42"; ///< black on green
inline constexpr std::string_view bad = "97;41";  ///< bright white on red

inline constexpr std::array all{bold, italic, underlined, good, bad};

} // namespace text::sgr
