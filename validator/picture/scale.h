#pragma once

#include "picture/figure.h"

#include <cstddef>
#include <string>

/// From numbers to degrees of colour, and to words.
namespace picture {

/// Steps of colour on either side of zero.
inline constexpr int levels = 12;

/// Symmetric about zero, so that the sign of a number is its colour.
struct Scale {
    double largest = 0; ///< of the finite values, without sign

    /// In [-levels, levels]; 0 for zero alone, so that the smallest number still shows. `value` is finite.
    int level(double value) const;
};

/// Of all heat maps of a figure without a scale of their own.
Scale scale_of(const Figure& figure);
/// That of a map itself.
Scale scale_of(const Heat& heat);
/// What a map is drawn with: its own scale, or the shared one.
Scale scale_for(const Heat& heat, const Scale& shared);

/// What a matrix holds.
struct Content {
    std::size_t finite = 0;
    std::size_t nan = 0;
    std::size_t infinite = 0;
    std::size_t blank = 0;
    std::size_t zero = 0;
    double least = 0;    ///< of the finite ones
    double greatest = 0; ///< likewise
};
Content content_of(const Heat& heat);

/// Three digits: "0.125", "-1.2e+06", "NaN", "infinity".
std::string shown(double value);

/// What a chart shows, for readers who do not see it: one or two sentences.
std::string describe(const Chart& chart);

/// "Rows: tokens. Columns: channels."; nothing where rows have no name, nor of rows called "rows".
std::string axes_of(const Figure& figure);

/// "3 of its 24 numbers are NaN": what is odd about the figure's numbers; empty where nothing is.
std::string oddities(const Figure& figure);

} // namespace picture
