#pragma once

#include "picture/figure.h"

#include <string>
#include <string_view>

/// HTML pages that need nothing but themselves: no script, no network, light and dark, on paper too.
namespace picture {

/// A section with the charts of a figure, their descriptions, and the numbers of those that are small.
std::string section(const Figure& figure);

/// A whole page around a body.
std::string page(std::string_view title, std::string_view body);

std::string render_html(const Picture& picture);

} // namespace picture
