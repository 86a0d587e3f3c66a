#include "similarity/program.h"

#include <algorithm>
#include <doctest/doctest.h>

using similarity::merge_equal;
using similarity::Origin;
using similarity::Program;
using similarity::read_program;
using similarity::tokens_as_lines;

namespace {

Program program(const std::string& text, const std::string& name = "ada") {
    return read_program(name, Origin::class_, {{"a.cpp", text}});
}

} // namespace

TEST_CASE("a line is a token, without comments and directives") {
    CHECK(tokens_as_lines(program("#include <x>\nint a = 1; // one\n/* two */ f(a);")) ==
          "int\na\n=\n1\n;\nf\n(\na\n)\n;\n");
}

TEST_CASE("no text of a literal and no foreign byte reaches the tester") {
    using namespace std::string_literals;
    const std::string hostile = "char c = 'x'; auto s = \"/* \\\" | [3]\"; auto r = R\"(\n0: line)\";"s +
                                "\xff\xfe\x01 int \xc3\xa4;\0 \"open"s;
    const std::string lines = tokens_as_lines(program(hostile));
    CAPTURE(lines);
    CHECK(lines.find("line") == std::string::npos);
    CHECK(lines.find('|') == std::string::npos);
    CHECK(std::ranges::all_of(lines, [](char c) { return c == '\n' || (c > ' ' && c <= '~'); }));
    const Program read = program(hostile);
    CHECK(static_cast<std::size_t>(std::ranges::count(lines, '\n')) == read.tokens.size());
}

TEST_CASE("places are those of the text") {
    const Program read = program("int f(){return 12;}");
    const auto& place = read.tokens.at(6);
    CHECK(read.text.substr(place.begin, place.end - place.begin) == "12");
}

TEST_CASE("programs that differ in layout and comments are one, with all names") {
    const auto merged = merge_equal({program("int a;", "ada"), program("int b;", "bob"),
                                     program("#include <x>\nint  a; // mine", "carl")});
    REQUIRE(merged.size() == 2);
    CHECK(merged[0].names == std::vector<std::string>{"ada", "carl"});
    CHECK(merged[1].names == std::vector<std::string>{"bob"});
}

TEST_CASE("programs that differ in a literal are two") {
    CHECK(merge_equal({program("auto a = \"x\";", "ada"), program("auto a = \"y\";", "bob")}).size() == 2);
}
