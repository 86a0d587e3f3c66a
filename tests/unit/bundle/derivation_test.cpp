#include "bundle/derivation.h"

#include <algorithm>
#include <doctest/doctest.h>

namespace {

using Kind = bundle::Place::Kind;

const std::string base = "#include \"contract.h\"\n"
                         "#include <cmath>\n"
                         "namespace exercise {\n"
                         "constexpr double eps = 1e-5;\n"
                         "double half(double a) { return a / 2; }\n"
                         "int sum(int a, int b) {\n"
                         "    int total = a;\n"
                         "    for (int i = 0; i < b; ++i)\n"
                         "        total += i;\n"
                         "    if (total < 0) return 0;\n"
                         "    return total;\n"
                         "}\n"
                         "}\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::optional<bundle::Derivation> derive(const std::string& program, const std::string& from = base) {
    const bundle::Source before(from);
    const bundle::Source after(program);
    return bundle::derive(before, after, 7, "own.cpp");
}

/// Whether the base with all that is chosen has the words of the program.
bool rebuilds(const bundle::Derivation& derivation, const std::string& program) {
    std::string text = base;
    for (std::size_t i = derivation.choices.size(); i-- > 0;) {
        const bundle::Choice& choice = derivation.choices[i];
        text.replace(choice.place.begin, choice.place.length(), choice.copy.code);
    }
    return std::ranges::equal(reader::read_words(text), reader::read_words(program), {}, &reader::Word::text,
                              &reader::Word::text);
}

/// The kinds of the places where the program that has `to` for `from` is chosen.
std::vector<Kind> kinds(const std::string& from, const std::string& to) {
    const std::string program = with(base, from, to);
    const auto derivation = derive(program);
    REQUIRE(derivation);
    CHECK(rebuilds(*derivation, program));
    std::vector<Kind> list;
    for (const bundle::Choice& choice : derivation->choices)
        list.push_back(choice.place.kind);
    return list;
}

} // namespace

TEST_CASE("a change is chosen at the smallest place that holds it") {
    CHECK(kinds("total += i", "total -= i") == std::vector{Kind::statement});
    CHECK(kinds("i < b", "i <= b") == std::vector{Kind::condition});
    CHECK(kinds("++i", "i += 2") == std::vector{Kind::step});
    CHECK(kinds("int total = a", "int total = 2 * a") == std::vector{Kind::value});
    CHECK(kinds("if (total < 0) return 0;\n", "") == std::vector{Kind::body});
}

TEST_CASE("several changes are chosen by one number, and an outer place holds those within it") {
    const std::string changed_twice = with(with(base, "i < b", "i <= b"), "a / 2", "a * 2");
    const auto two = derive(changed_twice);
    REQUIRE(two);
    CHECK(rebuilds(*two, changed_twice));
    REQUIRE(two->choices.size() == 2);
    CHECK(two->choices[0].number == 7);
    CHECK(two->choices[0].copy.code == "return a * 2;");
    CHECK(two->choices[0].copy.line == 5);
    CHECK(two->choices[1].copy.code == "i <= b");
    const auto outer = derive(with(with(base, "total += i", "total -= i"), "    return total;\n", ""));
    REQUIRE(outer);
    REQUIRE(outer->choices.size() == 1);
    CHECK(outer->choices[0].place.kind == Kind::body);
    CHECK(outer->choices[0].copy.code.find("total -= i;") != std::string::npos);
}

TEST_CASE("a statement that becomes a declaration, or several, needs the whole body") {
    CHECK(kinds("total += i;", "const int twice = 2 * i;") == std::vector{Kind::body});
    CHECK(kinds("    return total;", "    total = -total;\n    return total;") == std::vector{Kind::body});
    CHECK(kinds("int total = a", "long total = a") == std::vector{Kind::body});
}

TEST_CASE("a value whose type is not named, or that the compiler may need, needs the whole body") {
    const auto kind = [](const std::string& declaration, const std::string& changed) {
        const std::string from = "int f(int n) {\n    " + declaration + "\n    return g(k);\n}\n";
        const auto derivation = derive(with(from, declaration, changed), from);
        REQUIRE(derivation);
        return derivation->choices.at(0).place.kind;
    };
    CHECK(kind("auto k = n / 2;", "auto k = n / 2.0;") == Kind::body);
    CHECK(kind("Rows k = n;", "Rows k = -n;") == Kind::body);
    CHECK(kind("const int k = 3;", "const int k = 4;") == Kind::body);
    CHECK(kind("std::array<float, 2 + 2> k;", "std::array<float, 2 + 3> k;") == Kind::body);
    CHECK(kind("const double k = 3;", "const double k = 4;") == Kind::value);
    CHECK(kind("std::size_t k = 3;", "std::size_t k = 4;") == Kind::value);
}

TEST_CASE("what returns decide the type of is not chosen among returns") {
    const std::string lambda = "int f(int n) {\n    return all([](int v) { return v + 1; });\n}\n";
    const auto inner = derive(with(lambda, "v + 1", "v + 1.0"), lambda);
    REQUIRE(inner);
    CHECK(inner->choices.at(0).copy.code == "return all([](int v) { return v + 1.0; });");
    const std::string deduced = "auto f(int n) {\n    return n + 1;\n}\n";
    CHECK_FALSE(derive(with(deduced, "n + 1", "n + 1.0"), deduced));
}

TEST_CASE("new declarations are added, unused ones may go, headers come along") {
    const auto added = derive(with(with(base, "int sum(", "float third(float a) { return a / 3; }\nint sum("),
                                   "#include <cmath>\n", "#include <map>\n#include <cmath>\n"));
    REQUIRE(added);
    CHECK(added->choices.empty());
    REQUIRE(added->additions.size() == 1);
    CHECK(added->additions[0].added.code == "float third(float a) { return a / 3; }");
    CHECK(added->additions[0].offset == base.find("int sum("));
    CHECK(added->additions[0].line == 6);
    CHECK(added->added == std::set<std::string>{"third"});
    CHECK(added->includes == std::set<std::string>{"<map>"});
    const auto without =
        derive(with(with(base, "double half(double a) { return a / 2; }\n", ""), "i < b", "i < a"));
    REQUIRE(without);
    CHECK(without->choices.size() == 1);
    const auto state = derive(with(base, "int sum(", "namespace {\nint calls = 0;\n}\nint sum("));
    REQUIRE(state);
    CHECK(state->added == std::set<std::string>{"calls"});
}

TEST_CASE("what else changes outside of functions needs a copy of everything") {
    CHECK_FALSE(derive(with(base, "1e-5", "1e-3")));
    CHECK_FALSE(derive(with(base, "int sum(int a", "int sum(long a")));
    CHECK_FALSE(derive(with(base, "double half", "float half(float a) { return a / 2; }\ndouble half")));
    CHECK_FALSE(derive(with(base, "double half", "using namespace std;\ndouble half")));
    CHECK_FALSE(derive(with(base, "double half", "#define eps 3\ndouble half")));
    CHECK_FALSE(derive(with(base, "<cmath>", "\"own.h\"")));
}

TEST_CASE("a base that keeps state is not shared, since a worker serves one program after another") {
    const std::string stateful = "int calls = 0;\nint f(int n) {\n    return n + calls++;\n}\n";
    CHECK_FALSE(derive(with(stateful, "n + calls", "n - calls"), stateful));
}

TEST_CASE("it is known whether shared lines have the program's own numbers") {
    const auto same = derive(with(base, "total += i;", "total -= i;"));
    REQUIRE(same);
    CHECK(same->same_lines);
    const auto moved = derive(with(base, "    if (total < 0) return 0;\n", ""));
    REQUIRE(moved);
    CHECK_FALSE(moved->same_lines);
    const auto last = derive(
        with(with(base, "double half(double a) { return a / 2; }", "double half(double a) { return a / 3; }"),
             "}\n}\n", "}\n}\n// a longer end\n"));
    REQUIRE(last);
    CHECK(last->same_lines);
}
