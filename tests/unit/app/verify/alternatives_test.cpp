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

} // namespace

TEST_CASE("what the compiler may run itself cannot be chosen while the program runs") {
    CHECK_FALSE(verify::can_be_chosen(mutant(1, "3 -> 4"), functions));
    CHECK_FALSE(verify::can_be_chosen(mutant(2, "/ -> *"), functions));
    CHECK(verify::can_be_chosen(mutant(5, "+ -> -"), functions));
    CHECK(verify::can_be_chosen(mutant(7, "- -> +"), functions));
}

TEST_CASE("a function holds its changed bodies beside its own, each with its lines") {
    const std::string text = verify::with_alternatives(
        source, 0, {{4, &mutant(4, "+= -> -=")}, {9, &mutant(5, "+ -> -")}, {12, &mutant(7, "- -> +")}});
    CHECK(text.find("int sum(int a, int b) {switch (::chosen_mutant) {\n"
                    "case 4:\n#line 3 \"mutant_4_0.cpp\"\n{\n"
                    "    a -= half(b);\n    return a + offset; // of both\n\n}\nbreak;\n"
                    "case 9:\n#line 3 \"mutant_9_0.cpp\"\n{\n"
                    "    a += half(b);\n    return a - offset; // of both\n\n}\nbreak;\n"
                    "default:\n#line 3 \"mutant_unchanged_0.cpp\"\n{\n"
                    "    a += half(b);\n    return a + offset; // of both\n\n}\n}\n"
                    "#line 6 \"mutant_unchanged_0.cpp\"\n}\n") != std::string::npos);
    CHECK(count(text, "switch") == 2);
    CHECK(count(text, "return a + 1;") == 1);
    CHECK(text.starts_with(source.substr(0, source.find("int sum"))));
}

TEST_CASE("a source without alternatives is left alone") {
    CHECK(verify::with_alternatives(source, 0, {}) == source);
}
