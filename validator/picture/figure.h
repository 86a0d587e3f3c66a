#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

/// What is drawn, as values. How it looks is for svg.h, page.h and blocks.h.
namespace picture {

/// Row-major; any numbers, NaN and infinities included.
struct Numbers {
    std::size_t rows = 0;
    std::size_t cols = 0;
    std::vector<double> values;

    double operator()(std::size_t r, std::size_t c) const { return values[r * cols + c]; }
};

/// A matrix as coloured cells.
struct Heat {
    std::string name;
    Numbers numbers;
    std::vector<bool> blank;            ///< cells without a value, such as never written ones; empty: none
    std::size_t first_row = 0;          ///< the index of the first row that is shown
    std::size_t first_col = 0;          ///< and of the first column
    std::vector<std::string> rows = {}; ///< a label for each row; empty: their indices
    bool own_scale = false;             ///< its colours are no measure for the other maps
};

/// How often values fall into equally wide bins of [low, high), and how often they should.
struct Histogram {
    std::string name;
    double low = 0;
    double high = 1;
    std::vector<double> counts;
    std::vector<double> expected; ///< one a bin, or empty
};

/// Curves over the index of their values.
struct Lines {
    std::string name;
    Numbers series; ///< one a row
    std::vector<std::string> labels;
};

/// Points of a plane. A label may have a group before a colon, "animal:cat"; groups have marks of their own.
struct Scatter {
    std::string name;
    std::vector<std::array<double, 2>> points;
    std::vector<std::string> labels; ///< one a point, or empty
    std::string note;                ///< how the plane was found
};

struct Table {
    std::string name;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};

/// How fast calls are that do nothing but move bytes, and how fast their traffic lets them be: at most as
/// fast as a copy, and half as fast where half of what is moved is of no use.
struct Roofline {
    struct Call {
        std::string label;
        double allowed = 1; ///< of a copy's speed: useful bytes of all bytes that it moves
        double reached = 0; ///< of a copy's speed; 0: not timed
    };
    std::string name;
    std::vector<Call> calls;
};

using Chart = std::variant<Heat, Histogram, Lines, Scatter, Table, Roofline>;

/// Charts that are looked at together. Its heat maps share one scale, but for those with their own.
struct Figure {
    std::string title;
    std::vector<std::string> says; ///< what there is to see, a paragraph each
    std::string rows;              ///< what the rows of its matrices stand for
    std::string cols;
    std::vector<Chart> charts;
};

/// What a scene came to.
struct Picture {
    std::string title;
    std::vector<Figure> figures;
    std::vector<std::string> remarks; ///< sentences on what could not be drawn
};

const std::string& name_of(const Chart& chart);

} // namespace picture
