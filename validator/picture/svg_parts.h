#pragma once

#include "picture/svg.h"

/// What the drawings of all charts share.
namespace picture {

constexpr int left = 52; // of a plot: numbers of rows, ends of axes
constexpr int top = 18;  // a line of text
constexpr int plot_width = chart_width - left - 8;
constexpr int plot_height = 180; // of everything that has no rows

/// Foreign text at a place.
std::string words(double x, double y, std::string_view anchor, std::string_view text);

Drawing drawn(const Heat& heat, const Figure& figure, const Scale& scale);
Drawing drawn(const Roofline& roofline, const Figure& figure, const Scale& scale);

} // namespace picture
