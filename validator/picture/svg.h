#pragma once

#include "picture/figure.h"
#include "picture/scale.h"

#include <string>
#include <string_view>

/// Charts as SVG. The shapes have classes and no colours: `colours` gives them, for light and dark.
namespace picture {

/// Units, which are pixels where there is space: it fits into a telephone's 360.
inline constexpr int chart_width = 320;

/// What lies inside the <svg> element of a chart, and its height. Tables have none: height 0.
struct Drawing {
    int height = 0;
    std::string body;
};
Drawing draw(const Chart& chart, const Figure& figure, const Scale& scale);

/// Style rules of all shapes.
std::string_view colours();

/// All charts of a picture as one file.
std::string render_svg(const Picture& picture);

} // namespace picture
