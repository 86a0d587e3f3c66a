#include "picture/svg.h"

#include "unit/picture/figure_of.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace picture;
using test::figure_of;

namespace {

std::string drawn(const Chart& chart) {
    const Figure figure = figure_of(chart);
    return draw(chart, figure, scale_of(figure)).body;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

Heat heat_map(std::size_t rows, std::size_t cols, std::vector<double> values) {
    return {.name = "x", .numbers = {rows, cols, std::move(values)}, .blank = {}};
}

/// No coordinate that a browser could not read.
void check_readable(const std::string& body) {
    for (const char* word : {"nan ", " nan", "inf ", " inf", "Vnan", "Vinf", "vnan", "vinf"})
        CHECK_MESSAGE(body.find(word) == std::string::npos, word);
}

} // namespace

TEST_CASE("cells of one degree of colour are one path, and zeros have none") {
    const std::string zeros = drawn(heat_map(2, 2, {0, 0, 0, 0}));
    CHECK(count(drawn(heat_map(2, 2, {1, 1, 1, 1})), "<path") == count(zeros, "<path") + 1);
    CHECK(count(drawn(heat_map(2, 2, {1, -1, 0, 0})), "<path") == count(zeros, "<path") + 2);
}

TEST_CASE("cells that are large enough have lines between them, and numbers above them") {
    const std::string one = drawn(heat_map(1, 1, {0}));
    CHECK(count(one, "grid") == 0);
    const std::string six = drawn(heat_map(2, 3, {0, 0, 0, 0, 0, 0}));
    CHECK(count(six, "class=\"grid\" d=\"M84 18V74M112 18V74M56 46H140\"") == 1);
    CHECK(count(six, ">1</text>") == 2); // the second column, and the second row
    Heat far = heat_map(1, 3, {0, 0, 0});
    far.first_col = 2097150;
    CHECK(count(drawn(far), ">2097151</text>") == 0);
    CHECK(count(drawn(far), ">2097152</text>") == 1);
    const std::string fine = drawn(heat_map(60, 60, std::vector<double>(3600)));
    CHECK(count(fine, "grid") == 0);
    CHECK(count(fine, ">59</text>") == 2);
    CHECK(count(fine, ">1</text>") == 0);
}

TEST_CASE("what is no number has a mark of its own") {
    Heat odd = heat_map(1, 4, {NAN, INFINITY, 3, 1});
    odd.blank = {false, false, true, false};
    const std::string body = drawn(odd);
    CHECK(count(body, "class=\"nan\"") == 1);
    CHECK(count(body, "class=\"infinite\"") == 1);
    CHECK(count(body, "class=\"blank\"") == 1);
    check_readable(body);
}

TEST_CASE("a name covers no other name and no mark, and says where there is no room for it") {
    const std::string apart =
        drawn(Scatter{"x", {{0, 0}, {1, 1}, {0, 1}}, {"g:one", "g:two", "h:three"}, ""});
    for (const char* name : {">one<", ">two<", ">three<"})
        CHECK(count(apart, name) == 1);
    CHECK(count(apart, "Names without room") == 0);
    // Five at one place: beside it, on either side, above and below; the corner leaves two of these.
    const std::vector<std::array<double, 2>> together{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 1}};
    const std::string crowded = drawn(Scatter{"x", together, {"aa", "bb", "cc", "dd", "ee", "far"}, ""});
    CHECK(count(crowded, "class=\"mark") == 6);
    CHECK(count(crowded, ">far<") == 1);
    CHECK(count(crowded, ">aa<") == 1);
    CHECK(count(crowded, ">ee<") == 0);
    CHECK(count(crowded, "Names without room are left out.") == 1);
}

TEST_CASE("no chart writes a coordinate that is no number") {
    check_readable(drawn(heat_map(0, 0, {})));
    check_readable(drawn(heat_map(2, 1, {1e308, -1e308})));
    check_readable(drawn(Lines{"x", {1, 4, {-1.7e308, 1.7e308, NAN, INFINITY}}, {}}));
    check_readable(drawn(Lines{"x", {1, 2, {NAN, NAN}}, {}}));
    check_readable(drawn(Lines{"x", {0, 0, {}}, {}}));
    check_readable(drawn(Histogram{"x", 0, 1, {}, {}}));
    check_readable(drawn(Histogram{"x", 0, 1, {0, 0}, {0, 0}}));
    check_readable(drawn(Scatter{"x", {{1, 1}, {1, 1}}, {}, ""}));
    check_readable(drawn(Scatter{"x", {}, {}, ""}));
    check_readable(drawn(Roofline{"x", {{"a", 0, 0}, {"b", 1e-30, 1e30}, {"c", 1, 0.5}}}));
    check_readable(drawn(Roofline{"x", {}}));
}

TEST_CASE("a curve has a gap where its value is no number") {
    CHECK(count(drawn(Lines{"x", {1, 5, {1, 2, NAN, 3, 4}}, {}}), "class=\"line s0\" d=\"M") ==
          2); // with its key
    const std::string body = drawn(Lines{"x", {1, 5, {1, 2, NAN, 3, 4}}, {}});
    const std::string path = body.substr(body.find("line s0\" d=\""));
    CHECK(count(path.substr(0, path.find("/>")), "M") == 2);
}

TEST_CASE("names and labels cannot become markup") {
    const std::string evil = "<script>alert(1)</script>\"&";
    Heat labelled = heat_map(1, 1, {1});
    labelled.name = evil;
    labelled.rows = {"<b>"};
    Picture picture{evil, {figure_of(labelled)}, {evil}};
    picture.figures[0].title = evil;
    picture.figures[0].charts.emplace_back(Scatter{evil, {{0, 0}, {1, 1}}, {evil, "g:" + evil}, evil});
    picture.figures[0].charts.emplace_back(Roofline{evil, {{evil, 1, 1}}});
    picture.figures[0].charts.emplace_back(Table{evil, {evil}, {{evil}}});
    const std::string svg = render_svg(picture);
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("<b>") == std::string::npos);
    CHECK(svg.find("&lt;script&gt;") != std::string::npos);
}
