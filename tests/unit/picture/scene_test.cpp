#include "picture/scene.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace picture;

namespace {

/// A scene of one figure, around these lines.
Picture read(const std::string& lines) {
    return read_scene("@ title A scene\n@ figure One\n@ says Look.\n" + lines + "@ end \n");
}

/// What is said of lines that cannot be drawn.
std::string refusal(const std::string& lines) {
    const Picture picture = read(lines);
    return picture.remarks.empty() ? "" : picture.remarks.front();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a heat map is read with its name, its shape, its labels and its values") {
    const Picture picture =
        read("@ rows tokens\n@ chart heat 2 3 out of two\n@ labels a|b\n@ values 1 -2.5 3\n"
             "@ values 4 5 6\n");
    CHECK(picture.remarks.empty());
    CHECK(picture.title == "A scene");
    REQUIRE(picture.figures.size() == 1);
    CHECK(picture.figures[0].rows == "tokens");
    const auto& heat = std::get<Heat>(picture.figures[0].charts.at(0));
    CHECK(heat.name == "out of two");
    CHECK(heat.numbers(0, 1) == -2.5);
    CHECK(heat.numbers(1, 2) == 6);
    CHECK(heat.rows == std::vector<std::string>{"a", "b"});
}

TEST_CASE("what the learner prints besides is no part of the picture") {
    const Picture picture = read("debug: 1 2 3\n@here\n@ chart heat 1 1 x\nmore\n@ values 7\n");
    CHECK(picture.remarks.empty());
    CHECK(std::get<Heat>(picture.figures.at(0).charts.at(0)).numbers(0, 0) == 7);
}

TEST_CASE("progress is no part of the picture, wherever it stands") {
    const Picture picture = read("@ chart heat 1 2 x\n@ values 7\n@ progress 50 half\n@ values 8\n");
    CHECK(picture.remarks.empty());
    CHECK(std::get<Heat>(picture.figures.at(0).charts.at(0)).numbers(0, 1) == 8);
}

TEST_CASE("NaN, infinities and huge numbers are values") {
    const Picture picture = read("@ chart heat 1 5 x\n@ values nan -nan inf -inf 1e38\n");
    CHECK(picture.remarks.empty());
    const auto& heat = std::get<Heat>(picture.figures.at(0).charts.at(0));
    CHECK(std::isnan(heat.numbers(0, 0)));
    CHECK(std::isnan(heat.numbers(0, 1)));
    CHECK(heat.numbers(0, 3) == -INFINITY);
    CHECK(heat.numbers(0, 4) == 1e38);
}

TEST_CASE("what cannot be drawn is refused in a sentence that names the line") {
    CHECK(contains(refusal("@ chart heat 2 2 x\n@ values 1 2 3\n"), "\"x\" should have 4 values, and has 3"));
    CHECK(
        contains(refusal("@ chart heat 1 1 x\n@ values 1 2\n"), "from line 5 on: \"x\" has too many values"));
    CHECK(contains(refusal("@ chart heat 129 1 x\n"), "128 x 128 can be drawn"));
    CHECK(contains(refusal("@ chart heat 18446744073709551615 1 x\n"), "can be drawn"));
    CHECK(contains(refusal("@ chart heat 99999999999999999999 1 x\n"), "is no number"));
    CHECK(contains(refusal("@ chart heat -1 1 x\n"), "\"-1\" is no number"));
    CHECK(contains(refusal("@ chart heat 1 1 x\n@ values 1x\n"), "\"1x\" is no number"));
    CHECK(contains(refusal("@ chart heat 1 1 x\n@ values 1e999\n"), "\"1e999\" is no number"));
    CHECK(contains(refusal("@ chart pie 1 1 x\n"), "no chart of the kind \"pie\""));
    CHECK(contains(refusal("@ chart heat 2 1 x\n@ labels a|b|c\n"), "more labels than rows"));
    CHECK(contains(refusal("@ chart heat 2 1 x\n@ labels a\n@ values 1 2\n"), "fewer labels than rows"));
    CHECK(contains(refusal("@ values 1\n"), "no chart has begun"));
    CHECK(contains(refusal("@ nothing\n"), "nothing called \"nothing\""));
    CHECK(contains(refusal("@ says " + std::string(500, 'x') + "\n"), "more than 400 bytes"));
    CHECK(contains(refusal("@ chart histogram 1 2 x\n@ range 1 1\n@ values 1 2\n"), "has no range"));
    CHECK(contains(refusal("@ chart histogram 1 2 x\n@ range 0 1\n@ values 1 nan\n"), "a count of nan"));
    CHECK(contains(refusal("@ chart histogram 0 2 x\n@ range 0 1\n"), "has no range"));
}

TEST_CASE("too much of anything is refused") {
    std::string figures, charts, sentences;
    for (int i = 0; i < 40; ++i) {
        figures += "@ figure more\n";
        charts += "@ chart heat 1 1 x\n@ values 1\n";
        sentences += "@ says more\n";
    }
    CHECK(contains(refusal(figures), "more than 16 figures"));
    CHECK(contains(refusal(charts), "more than 12 charts"));
    CHECK(contains(refusal(sentences), "more than 8 things"));
    std::string values;
    for (int i = 0; i < 20; ++i) {
        values += "@ figure more\n@ chart heat 128 128 x\n";
        for (int row = 0; row < 128; ++row) {
            values += "@ values";
            for (int col = 0; col < 128; ++col)
                values += " 0";
            values += "\n";
        }
    }
    CHECK(contains(refusal(values), "more than"));
}

TEST_CASE("what came whole before a fault is kept, and a program that ended early is told") {
    const Picture picture = read_scene(
        "@ title x\n@ figure One\n@ chart heat 1 1 whole\n@ values 1\n@ chart heat 9 9 half\n@ values 1 2");
    REQUIRE(picture.figures.size() == 1);
    CHECK(picture.figures[0].charts.size() == 1);
    REQUIRE(picture.remarks.size() == 1);
    CHECK(contains(picture.remarks[0], "\"half\" should have 81 values"));
    CHECK(contains(read_scene("@ title x\n@ figure One\n@ chart heat 1 1 a\n@ values 1\n").remarks.at(0),
                   "ended before the picture was whole"));
    CHECK(contains(read_scene("").remarks.at(0), "ended before"));
}

TEST_CASE("vectors become maps and neighbours, and odd ones a sentence") {
    const Picture picture = read("@ chart map 3 2 v\n@ values 1 0 0 1 -1 0\n@ chart neighbours 3 2 v\n"
                                 "@ values 1 0 0 1 -1 0\n");
    REQUIRE(picture.figures.at(0).charts.size() == 2);
    CHECK(std::holds_alternative<Scatter>(picture.figures[0].charts[0]));
    CHECK(std::holds_alternative<Table>(picture.figures[0].charts[1]));
    const Picture odd = read("@ chart map 3 2 v\n@ values 1 nan 0 1 -1 inf\n");
    CHECK(odd.figures.at(0).charts.empty());
    CHECK(contains(odd.figures[0].says.at(1), "2 of its 6 numbers are NaN or infinite"));
}
