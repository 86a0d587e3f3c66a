#include "picture/scale.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace picture;

namespace {

Heat heat(std::vector<double> values) {
    const std::size_t cols = values.size();
    return {.name = "x", .numbers = {1, cols, std::move(values)}, .blank = {}};
}

} // namespace

TEST_CASE("the sign of a number is the sign of its level, and zero alone has none") {
    const Scale scale{8};
    CHECK(scale.level(8) == levels);
    CHECK(scale.level(-8) == -levels);
    CHECK(scale.level(4) == levels / 2);
    CHECK(scale.level(1e-30) == 1);
    CHECK(scale.level(-1e-30) == -1);
    CHECK(scale.level(0) == 0);
    CHECK(scale.level(-0.0) == 0);
    CHECK(Scale{0}.level(0) == 0);
}

TEST_CASE("a scale reaches to the largest finite number of all heat maps of a figure") {
    Figure figure;
    figure.charts = {heat({1, -3, NAN, INFINITY}), heat({2})};
    CHECK(scale_of(figure).largest == 3);
    figure.charts.emplace_back(heat({-1e38}));
    CHECK(scale_of(figure).largest == 1e38);
    CHECK(scale_of(figure).level(3) == 1);
}

TEST_CASE("numbers are shown with three digits") {
    CHECK(shown(0.125) == "0.125");
    CHECK(shown(-2) == "-2");
    CHECK(shown(-0.0) == "0");
    CHECK(shown(3191.5) == "3192");
    CHECK(shown(1e38) == "1e+38");
    CHECK(shown(1.0 / 3) == "0.333");
    CHECK(shown(NAN) == "NaN");
    CHECK(shown(-INFINITY) == "-infinity");
}

TEST_CASE("axes are named once, and not after themselves") {
    Figure figure;
    figure.cols = "token";
    CHECK(axes_of(figure).empty());
    figure.rows = "positions";
    CHECK(axes_of(figure) == "Rows: positions. Columns: token.");
    figure.rows = "rows";
    CHECK(axes_of(figure) == "Columns: token.");
    figure.cols = "columns";
    CHECK(axes_of(figure).empty());
}

TEST_CASE("a description names shape, range and what is odd") {
    Heat odd = heat({0, -1.5, NAN, INFINITY, 4, 5});
    odd.blank = {false, false, false, false, false, true};
    CHECK(describe(odd) ==
          "x: 1 row, 6 columns; from -1.5 to 4; 1 zero; 1 NaN; 1 infinite; 1 never written.");
    Figure figure;
    figure.charts = {odd};
    CHECK(oddities(figure) == "Of 6 numbers, 1 are NaN (crossed cells) and 1 infinite (solid cells).");
    figure.charts = {heat({1, 2})};
    CHECK(oddities(figure).empty());
}

TEST_CASE("a histogram's description counts what is in the wrong bins") {
    const Histogram histogram{"x", 0, 2, {3, 5}, {4, 4}};
    CHECK(describe(histogram) ==
          "x: 8 values in 2 bins; most, 5, lie between 1 and 2; 1 of them are in other bins "
          "than expected.");
    CHECK(describe(Histogram{"x", 0, 2, {}, {}}) == "x: no values.");
}
