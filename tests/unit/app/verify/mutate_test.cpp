#include "app/verify/mutate.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

namespace {

std::set<std::string> mutations(const std::string& source) {
    std::set<std::string> found;
    for (const verify::Mutant& mutant : verify::mutate(source))
        found.insert(mutant.mutation);
    return found;
}

using Set = std::set<std::string>;

} // namespace

TEST_CASE("a binary operator has mutants, its unary namesake has none") {
    CHECK(mutations("double f(double a, double b) { return a + b; }") == Set{"+ -> -"});
    CHECK(mutations("double f(double a) { return -a; }").empty());
    CHECK(mutations("double f(double* a) { return *a; }").empty());
    CHECK(!mutations("double f(double a) { double& x = a; return x; }").contains("& -> |"));
}

TEST_CASE("what a declaration says of a type is no operator, though the formatter's blanks alone tell") {
    CHECK(mutations("int f(const Call& call, Tensor* to, T&& x) { return 0 * call; }") ==
          Set{"0 -> 1", "* -> /"});
}

TEST_CASE("a comparison moves its bound and turns around") {
    CHECK(mutations("bool f(int a, int b) { return a < b; }") == Set{"< -> <=", "< -> >="});
    CHECK(mutations("bool f(int a, int b) { return a >= b; }") == Set{">= -> >", ">= -> <"});
    CHECK(mutations("bool f(bool a, bool b) { return !a && b; }") == Set{"! -> nothing", "&& -> ||"});
}

TEST_CASE("template angles are no comparisons, shifts are operators") {
    CHECK(mutations("std::vector<std::span<const float>> f(std::map<int, std::vector<int>> a) { return a; }")
              .empty());
    CHECK(mutations("long f(int a) { return static_cast<long>(a); }").empty());
    CHECK(mutations("int f(int a, int b) { return a >> b; }") == Set{">> -> <<"});
    CHECK(mutations("bool f(int a, int b, int c, int d) { return a < b && c > d; }") ==
          Set{"< -> <=", "< -> >=", "&& -> ||", "> -> >=", "> -> <="});
}

TEST_CASE("constants go one up and one down, with their suffix") {
    CHECK(mutations("int f() { return 7; }") == Set{"7 -> 8", "7 -> 6"});
    CHECK(mutations("int f() { return 0; }") == Set{"0 -> 1"});
    CHECK(mutations("float f() { return 0.0f; }") == Set{"0.0f -> 1.0f"});
    CHECK(mutations("double f() { return 2.0; }") == Set{"2.0 -> 3.0", "2.0 -> 1.0"});
    CHECK(mutations("auto f() { return 0x1p-52; }") == Set{"0x1p-52 -> (0x1p-52 * 2)"});
}

TEST_CASE("statements are dropped, but for declarations, control flow and a function's last return") {
    CHECK(mutations("void f(int& a, int b) { a = b; g(); }") == Set{"dropped: a = b;", "dropped: g();"});
    CHECK(mutations("void f(int a) { Tensor t(a); std::vector<int> v; int* p = &a; float x; }").empty());
    CHECK(mutations("int f(bool a, int b) { if (a) return b; return b; }") == Set{"dropped: return b;"});
    CHECK(mutations("void f(int n) { for (int i = n; g(i); h(i)) k(i); }") == Set{"dropped: k(i);"});
}

TEST_CASE("neighbouring arguments of a call change places, those of a declaration stay") {
    CHECK(mutations("int f(int a, int b) { return g(a, b); }") == Set{"a, b -> b, a"});
    CHECK(mutations("int f(int a, int b) { return std::max(a, b); }").empty());
    CHECK(mutations("int f(int a) { return g(a, a); }").empty());
    CHECK(mutations("int f(int a, int b) { return g(h(a, b), b); }") ==
          Set{"a, b -> b, a", "h(a, b), b -> b, h(a, b)"});
}

TEST_CASE("comments, texts and preprocessor lines have no mutants") {
    CHECK(mutations("#define X 1 + 2\n// a < b, 3\n/* 4 */ const char* f() { return \"5 + 6\"; }\n").empty());
}

TEST_CASE("a mutant knows its line, and what becomes of it") {
    const std::string source = "int f(int a, int b) {\n    return a   + 2 + b; // sum\n}\n";
    const std::vector<verify::Mutant> all = verify::mutate(source);
    const auto found = std::ranges::find(all, "+ -> - (2)", &verify::Mutant::mutation);
    REQUIRE(found != all.end());
    CHECK(found->line == 2);
    CHECK(found->original == "return a + 2 + b;");
    CHECK(found->mutated == "return a + 2 - b;");
    CHECK(found->apply(source) == "int f(int a, int b) {\n    return a   + 2 - b; // sum\n}\n");
}
