#pragma once

#include "picture/scale.h"
#include "picture/svg.h"

#include <algorithm>
#include <fmt/format.h>

/// What the drawings of all charts share.
namespace picture {

constexpr int left = 56; // of a plot: numbers of rows, ends of axes
constexpr int top = 18;  // a line of text
constexpr int plot_width = chart_width - left - 8;
constexpr int plot_height = 180; // of everything that has no rows

constexpr std::size_t max_groups = 6; ///< that differ in shape and colour

/// Foreign text at a place.
std::string words(double x, double y, std::string_view anchor, std::string_view text);

/// A plot's frame with the ends of its axes, for curves, bars and points.
struct Plot {
    double low_x = 0, high_x = 1, low_y = 0, high_y = 1;

    double x(double value) const { return left + plot_width * share(value, low_x, high_x); }
    double y(double value) const { return top + plot_height * (1 - share(value, low_y, high_y)); }

    std::string frame() const {
        return fmt::format("<path class=\"frame\" d=\"M{} {}h{}v{}h-{}z\"/>", left, top, plot_width,
                           plot_height, plot_width);
    }
    std::string ends_of_y() const {
        return words(left - 4, top + 10, "end", shown(high_y)) +
               words(left - 4, top + plot_height, "end", shown(low_y));
    }
    std::string ends_of_x() const {
        return words(left, top + plot_height + 14, "start", shown(low_x)) +
               words(left + plot_width, top + plot_height + 14, "end", shown(high_x));
    }

  private:
    /// Halved first: the difference of two doubles may be none.
    static double share(double value, double low, double high) {
        const double width = high / 2 - low / 2;
        return width > 0 ? std::clamp((value / 2 - low / 2) / width, 0.0, 1.0) : 0.5;
    }
};

Drawing drawn(const Scatter& scatter, const Figure& figure, const Scale& scale);
Drawing drawn(const Heat& heat, const Figure& figure, const Scale& scale);
Drawing drawn(const Roofline& roofline, const Figure& figure, const Scale& scale);

} // namespace picture
