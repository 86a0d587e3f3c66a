#include "bundle/choices.h"

#include <doctest/doctest.h>

namespace {

using Kind = bundle::Place::Kind;

const std::string source = "int sum(int a, int b) {\n"
                           "    a += half(b);\n"
                           "    return a + 3; // of both\n"
                           "}\n"
                           "int last(int a) { return a - 1; }\n";

/// Chooses `copy` for the place of `text` that holds exactly `code`.
bundle::Choice choice(std::size_t number, const std::string& text, const std::string& code,
                      const std::string& copy, int line = 1) {
    for (const bundle::Place& place : bundle::places_of(text))
        if (text.substr(place.begin, place.length()) == code)
            return {number, place, {copy, "own_" + std::to_string(number) + ".cpp", line}};
    FAIL("no such place");
    return {};
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++times;
    return times;
}

} // namespace

TEST_CASE("a place holds its copies and what was there, each with its own lines") {
    const std::string text = bundle::with_choices(source, "base.cpp",
                                                  {choice(4, source, "a += half(b);", "a -= half(b);", 22),
                                                   choice(9, source, "return a + 3;", "return a - 3;", 3)});
    CHECK(text.find("int sum(int a, int b) {\n    {if (::chosen_program == 4) "
                    "\n#line 22 \"own_4.cpp\"\n{a -= half(b);\n} else "
                    "\n#line 2 \"base.cpp\"\n{a += half(b);\n}}"
                    "\n#line 2 \"base.cpp\"\n\n    {if (::chosen_program == 9) "
                    "\n#line 3 \"own_9.cpp\"\n{return a - 3;\n} else ") != std::string::npos);
    CHECK(count(text, "chosen_program") == 2);
    CHECK(text.ends_with(" // of both\n}\nint last(int a) { return a - 1; }\n"));
}

TEST_CASE("several choices of one place share what was there") {
    const std::string text = bundle::with_choices(source, "base.cpp",
                                                  {choice(1, source, "a += half(b);", "a -= half(b);"),
                                                   choice(2, source, "a += half(b);", "a = half(b);")});
    CHECK(count(text, "chosen_program") == 2);
    CHECK(count(text, "a += half(b);") == 1);
    CHECK(text.find("{if (::chosen_program == 1) ") < text.find("} else if (::chosen_program == 2) "));
}

TEST_CASE("conditions, steps and values choose within an expression, values in the type of their variable") {
    const std::string loop =
        "void f(int n) {\n    for (int i = 0; i < n; ++i) g(i);\n    auto k = h(n);\n}\n";
    const std::string text =
        bundle::with_choices(loop, "base.cpp",
                             {choice(1, loop, "0", "1"), choice(2, loop, "i < n", "i"),
                              choice(3, loop, "++i", "--i"), choice(4, loop, "h(n)", "h(0)")});
    CHECK(count(text, "static_cast<int>(1\n) : ") == 1);
    CHECK(count(text, "static_cast<bool>(i\n) : ") == 1);
    CHECK(count(text, "static_cast<void>(--i\n) : ") == 1);
    CHECK(count(text, "\n(h(0)\n) : ") == 1);
}

TEST_CASE("an inner place lies in what an outer one keeps, and in none of its copies") {
    const std::string nested = "void f() {\n    each(1, [&](int v) { g(v + 2); });\n}\n";
    const std::string outer = "each(1, [&](int v) { g(v + 2); });";
    const std::string text =
        bundle::with_choices(nested, "base.cpp",
                             {choice(1, nested, "g(v + 2);", "g(v - 2);"),
                              choice(2, nested, outer, "each(2, [&](int v) { g(v + 2); });")});
    CHECK(count(text, "each(2, [&](int v) { g(v + 2); });") == 1);
    CHECK(count(text, "{g(v - 2);\n}") == 1);
    CHECK(count(text, "chosen_program") == 2);
}

TEST_CASE("additions come before their place, and the base's lines go on after them") {
    const std::string text =
        bundle::with_choices(source, "base.cpp", {choice(1, source, "return a - 1;", "return twice(a);")},
                             {{.offset = source.find("int last"),
                               .line = 5,
                               .added = {"int twice(int a) { return a + a; }", "own.cpp", 7}}});
    CHECK(
        text.find(
            "}\n\n#line 7 \"own.cpp\"\nint twice(int a) { return a + a; }\n#line 5 \"base.cpp\"\nint last") !=
        std::string::npos);
    CHECK(count(text, "return twice(a);") == 1);
}

TEST_CASE("a source without choices is left alone") {
    CHECK(bundle::with_choices(source, "base.cpp", {}) == source);
}
