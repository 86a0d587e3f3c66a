#include "picture/blocks.h"

#include "text/width.h"
#include "unit/picture/figure_of.h"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

using namespace picture;
using test::figure_of;

namespace {

Heat heat(std::size_t rows, std::size_t cols, std::vector<double> values) {
    return {.name = "out", .numbers = {rows, cols, std::move(values)}, .blank = {}};
}

int widest(const std::string& text) {
    std::istringstream lines(text);
    int columns = 0;
    for (std::string line; std::getline(lines, line);)
        columns = std::max(columns, text::columns(line));
    return columns;
}

} // namespace

TEST_CASE("shades grow with size, and signs differ without colour") {
    CHECK(blocks(figure_of(heat(1, 5, {4, 1, 0, -1, -4})), {}) ==
          "        out\n"
          "      0 ██░░  --≡≡\n"
          "░▒▓█ above zero, -~=≡ below, up to 4; blank is 0\n");
    CHECK(blocks(figure_of(heat(1, 5, {4, 1, 0, -1, -4})), {.unicode = false}) ==
          "        out\n"
          "      0 ##..  --%%\n"
          ".:+# above zero, -~=% below, up to 4; blank is 0\n");
}

TEST_CASE("a wide map has narrow cells before it is cut") {
    const std::string text = blocks(figure_of(heat(1, 60, std::vector<double>(60, 1))), {.width = 80});
    CHECK(text.find("the page has more") == std::string::npos);
    CHECK(
        blocks(figure_of(heat(1, 90, std::vector<double>(90, 1))), {.width = 80}).find("(1 x 72 of 1 x 90") !=
        std::string::npos);
}

TEST_CASE("what is no number is explained below") {
    Heat odd = heat(1, 3, {NAN, -INFINITY, 1});
    odd.blank = {false, false, true};
    CHECK(blocks(figure_of(odd), {}) == "        out\n"
                                        "      0 ??**··\n"
                                        "? is NaN, * is infinite, · was never written\n");
}

TEST_CASE("no line is wider than the terminal, whatever is drawn") {
    Figure figure = figure_of(heat(100, 128, std::vector<double>(12800, 1)));
    figure.title = std::string(300, 'x');
    figure.charts.emplace_back(heat(3, 3, std::vector<double>(9, -1)));
    figure.charts.emplace_back(Histogram{"h", 0, 1, std::vector<double>(40, 7), std::vector<double>(40, 9)});
    figure.charts.emplace_back(Lines{"l", {8, 500, std::vector<double>(4000, 1)}, {"a", "b"}});
    figure.charts.emplace_back(
        Scatter{"s", {{0, 0}, {1, 1}, {1, 1}}, {"g:one", "a long label", "漢"}, "note"});
    figure.charts.emplace_back(Roofline{"r", {{std::string(50, 'x'), 1, 3}, {"b", 0.5, 0}}});
    for (const int width : {40, 80, 100})
        CHECK(widest(blocks(figure, {.width = width})) <= width);
}

TEST_CASE("control characters from outside do not reach the terminal") {
    Heat evil = heat(1, 1, {1});
    evil.name = "\x1b[31mred\x07";
    evil.rows = {"\x1b[2J"};
    Figure figure = figure_of(evil);
    figure.title = "\x1b]0;title\x07";
    figure.charts.emplace_back(Table{"\x1b[1m", {"\x1b[1m"}, {{"\x1b[1m"}}});
    figure.charts.emplace_back(Scatter{"s", {{0, 0}, {1, 1}}, {"\x1b[1m", "b"}, ""});
    figure.charts.emplace_back(Roofline{"\x1b[1m", {{"\x1b[1m", 1, 1}}});
    CHECK(render_text({"\x1b[5m", {figure}, {"\x1b[5m"}}, {}).find('\x1b') == std::string::npos);
}

TEST_CASE("a screen reader gets descriptions and no blocks") {
    const std::string text = blocks(figure_of(heat(1, 2, {1, 2})), {.plain = true});
    CHECK(text == "out: 1 row, 2 columns; from 1 to 2.\n");
}

TEST_CASE("a curve of numbers that are none draws nothing and breaks nothing") {
    CHECK(blocks(figure_of(Lines{"l", {1, 3, {NAN, NAN, INFINITY}}, {}}), {}) ==
          "l: series 0 from NaN to infinity; 3 points each.\n");
}

TEST_CASE("a call's bar is as long as it is fast, and a mark shows what its traffic allows") {
    const Roofline roofline{"Speed", {{"half of half", 0.5, 0.25}, {"not timed", 1, 0}}};
    CHECK(blocks(figure_of(roofline), {.width = 40}) == "Speed\n"
                                                        "half of half         ███░░░░|      25 %\n"
                                                        "not timed            ░░░░░░░░░░░░░|100 %\n"
                                                        "The whole width is the speed of a copy;\n"
                                                        "| is what the traffic allows where no\n"
                                                        "cache helps.\n");
}

TEST_CASE("a table has as many whole columns as fit") {
    const Table table{"near", {"vector", "nearest", "second"}, {{"cheese", "honey (0.99)", "soup (0.90)"}}};
    CHECK(blocks(figure_of(table), {.width = 33}) == "near\n"
                                                     "vector  nearest       second\n"
                                                     "cheese  honey (0.99)  soup (0.90)\n");
    CHECK(blocks(figure_of(table), {.width = 32}) == "near\n"
                                                     "vector  nearest\n"
                                                     "cheese  honey (0.99)\n"
                                                     "(1 x 2 of 1 x 3; the page has\n"
                                                     "more)\n");
}
