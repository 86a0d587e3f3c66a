#include "picture/page.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace picture;

namespace {

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Figure small_figure() {
    Figure figure{.title = "A figure", .says = {"Look at it."}, .rows = "tokens", .cols = "channels"};
    figure.charts.emplace_back(Heat{.name = "out", .numbers = {1, 2, {1, NAN}}, .blank = {}});
    return figure;
}

} // namespace

TEST_CASE("a page needs no network and no script") {
    const std::string html = render_html({"A scene", {small_figure()}, {}});
    for (const char* word : {"<script", "http:", "https:", "url(", "@import", "src=", "href="})
        CHECK_MESSAGE(!says(html, word), word);
    CHECK(says(html, "<title>A scene</title>"));
    CHECK(says(html, "prefers-color-scheme:dark"));
    CHECK(says(html, "@media print"));
}

TEST_CASE("a picture has its description, its oddities and the numbers of a small matrix") {
    const std::string html = section(small_figure());
    CHECK(says(html, "aria-label=\"out: 1 row, 2 columns; from 1 to 1; 1 NaN.\""));
    CHECK(says(html, "Of 2 numbers, 1 are NaN"));
    CHECK(says(html, "<td>NaN</td>"));
    Figure large = small_figure();
    large.charts = {Heat{.name = "out", .numbers = {1, 17, std::vector<double>(17)}, .blank = {}}};
    CHECK(!says(section(large), "<table>"));
}

TEST_CASE("a never written cell says so in the table") {
    Figure figure = small_figure();
    std::get<Heat>(figure.charts[0]).blank = {false, true};
    CHECK(says(section(figure), "<td>never written</td>"));
}

TEST_CASE("text from outside cannot become markup") {
    Figure figure = small_figure();
    const std::string evil = "</h2><img src=x onerror=alert(1)>";
    figure.title = figure.rows = figure.cols = figure.says[0] = evil;
    std::get<Heat>(figure.charts[0]).name = evil;
    std::get<Heat>(figure.charts[0]).rows = {evil};
    CHECK(!says(render_html({evil, {figure}, {evil}}), "<img"));
}
