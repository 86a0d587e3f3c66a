#include "build/locate.h"

#include <doctest/doctest.h>

using model::Diagnostic;

namespace {

const model::Submission submission{"work/lookup.cpp",
                                   {{"lookup.cpp", "int one;\r\nint two(int);\n\nint three"}}};

Diagnostic at(int line, int column = 1, const std::string& file = "lookup.cpp") {
    return {.file = file, .line = line, .column = column};
}

} // namespace

TEST_CASE("a message gets its line and the path that the learner would type") {
    std::vector<Diagnostic> list{at(1), at(4), at(0), at(9), at(1, 1, "other.h"), at(0, 0, "")};
    build::show_places(list, submission);
    CHECK(list[0].source == "int one;");
    CHECK(list[0].file == "work/lookup.cpp");
    CHECK(list[1].source == "int three");
    CHECK(list[2].source.empty());
    CHECK(list[2].file == "work/lookup.cpp");
    CHECK(list[3].source.empty());
    CHECK(list[4].file == "other.h");
    CHECK(list[5].file.empty());
}

TEST_CASE("one file given with --from keeps its own name, of several each has its own") {
    std::vector<Diagnostic> list{at(1)};
    build::show_places(list, {"mine.cpp", {{"lookup.cpp", "x"}}});
    CHECK(list[0].file == "mine.cpp");
    std::vector<Diagnostic> two{at(1, 1, "b.cpp")};
    build::show_places(two, {"work/a.cpp", {{"a.cpp", "x"}, {"b.cpp", "y"}}});
    CHECK(two[0].file == "work/b.cpp");
    CHECK(two[0].source == "y");
}

TEST_CASE("a linker's message is placed at the function's name, or at the nearest that is defined") {
    std::vector<Diagnostic> list(3);
    list[0].message = "undefined reference to 'exercise::two(int)'";
    list[1].message = "undefined reference to 'exercise::twoo(long)'";
    list[2].message = "multiple definition of 'one'"; // no parenthesis after it
    build::place_linked(list, {"exercise::two(int)"}, submission);
    CHECK(list[0].line == 2);
    CHECK(list[0].column == 5);
    CHECK(list[1].line == 2);
    CHECK(list[2].line == 0);
}

TEST_CASE("columns of a rewritten line become those of the original, or none") {
    const std::string original = "f<<<1, 2>>>(x, y);", rewritten = "#line 1 \"a.cu\"\nlaunch(1, 2, f)(x, y);";
    const auto column_of = [&](int column) {
        std::vector<Diagnostic> list{at(1, column, "a.cu")};
        build::correct_columns(list, "a.cu", original, rewritten);
        return list[0].column;
    };
    CHECK(column_of(17) == 13); // x
    CHECK(column_of(20) == 16); // y
    CHECK(column_of(3) == 0);   // inside what was put in
    std::vector<Diagnostic> list{at(1, 17, "b.cu")};
    build::correct_columns(list, "a.cu", original, rewritten);
    CHECK(list[0].column == 17);
}
