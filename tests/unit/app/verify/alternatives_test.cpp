#include "app/verify/alternatives.h"

#include <algorithm>
#include <doctest/doctest.h>

namespace {

const std::string source = "constexpr int offset = 3;\n"
                           "constexpr int half(int a) { return a / 2; }\n"
                           "int sum(int a, int b) {\n"
                           "    a += half(b);\n"
                           "    return a + offset; // of both\n"
                           "}\n"
                           "int last(int a) { return a - 1; }\n";

const std::vector<bundle::Function> functions = bundle::functions_of(source);
const std::vector<verify::Mutant> mutants = verify::mutate(source);

const verify::Mutant& mutant(int line, const std::string& mutation) {
    const auto found = std::ranges::find_if(
        mutants, [&](const verify::Mutant& one) { return one.line == line && one.mutation == mutation; });
    REQUIRE(found != mutants.end());
    return *found;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++times;
    return times;
}

/// Another source with these of its mutants, each of which it has once.
std::string with(const std::string& text, const std::vector<std::string>& mutations) {
    const std::vector<verify::Mutant> all = verify::mutate(text);
    std::vector<verify::Alternative> some;
    for (const verify::Mutant& one : all)
        if (std::ranges::find(mutations, one.mutation) != mutations.end())
            some.push_back({some.size(), &one});
    REQUIRE(some.size() == mutations.size());
    return verify::with_alternatives(text, 0, some, verify::Copied::place);
}

} // namespace

TEST_CASE("what the compiler may run itself cannot be chosen while the program runs") {
    CHECK_FALSE(verify::can_be_chosen(mutant(1, "3 -> 4"), functions));
    CHECK_FALSE(verify::can_be_chosen(mutant(2, "/ -> *"), functions));
    CHECK(verify::can_be_chosen(mutant(5, "+ -> -"), functions));
    CHECK(verify::can_be_chosen(mutant(7, "- -> +"), functions));
}

TEST_CASE("a place holds its changed copies beside what was there, each with its lines") {
    const std::string text = verify::with_alternatives(
        source, 0, {{4, &mutant(4, "+= -> -=")}, {9, &mutant(5, "+ -> -")}, {12, &mutant(7, "- -> +")}},
        verify::Copied::place);
    CHECK(text.find("int sum(int a, int b) {\n    {if (::chosen_mutant == 4) "
                    "\n#line 4 \"mutant_4_0.cpp\"\n{a -= half(b);\n} else "
                    "\n#line 4 \"mutant_unchanged_0.cpp\"\n{a += half(b);\n}}"
                    "\n#line 4 \"mutant_unchanged_0.cpp\"\n\n    {if (::chosen_mutant == 9) "
                    "\n#line 5 \"mutant_9_0.cpp\"\n{return a - offset;\n} else ") != std::string::npos);
    CHECK(count(text, "chosen_mutant") == 3);
    CHECK(count(text, "return a + 1;") == 1);
    CHECK(text.starts_with(source.substr(0, source.find("    a += half"))));
}

TEST_CASE("a function may hold its changed bodies instead") {
    const std::string text =
        verify::with_alternatives(source, 0, {{9, &mutant(5, "+ -> -")}}, verify::Copied::body);
    CHECK(text.find(
              "int sum(int a, int b) {{if (::chosen_mutant == 9) "
              "\n#line 3 \"mutant_9_0.cpp\"\n{\n    a += half(b);\n    return a - offset; // of both\n\n} "
              "else \n#line 3 \"mutant_unchanged_0.cpp\"\n{\n    a += half(b);\n") != std::string::npos);
}

TEST_CASE("conditions, steps and values choose within an expression") {
    const std::string loop = "void f(int n) {\n    for (int i = 0; i < n; ++i) g(i);\n}\n";
    const std::string text = with(loop, {"0 -> 1", "< -> <=", "++ -> --"});
    CHECK(count(text, "(1\n) : ") == 1);
    CHECK(count(text, "static_cast<bool>(i <= n\n) : ") == 1);
    CHECK(count(text, "static_cast<void>(--i\n) : ") == 1);
}

TEST_CASE("an inner place lies in what an outer one keeps, and in none of its copies") {
    const std::string nested = "void f() {\n    each(1, [&](int v) { g(v + 2); });\n}\n";
    const std::string text = with(nested, {"1 -> 2", "+ -> -"});
    CHECK(count(text, "each(2, [&](int v) { g(v + 2); });") == 1);
    CHECK(count(text, "{g(v - 2);\n}") == 1);
    CHECK(count(text, "chosen_mutant") == 2);
}

TEST_CASE("a source without alternatives is left alone") {
    CHECK(verify::with_alternatives(source, 0, {}, verify::Copied::place) == source);
    CHECK(verify::with_alternatives(source, 0, {}, verify::Copied::body) == source);
}
