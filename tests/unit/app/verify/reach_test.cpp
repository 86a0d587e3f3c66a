#include "app/verify/reach.h"

#include <doctest/doctest.h>

namespace {

const std::string source = R"(
namespace exercise {
namespace {
int helper(int a) { return a + 1; }
struct Box {
    int get() const { return 2; }
};
} // namespace
int first(int a) { return helper(a); }
int second(int a) { return a * 3; }
int third(int a) { return first(a); }
} // namespace exercise
)";

using Names = std::vector<std::string>;

Names at(const std::string& text) {
    return verify::untouched({source}, 0, source.find(text));
}

} // namespace

TEST_CASE("a change in a function leaves those alone that never reach it") {
    CHECK(at("* 3") == Names{"first", "helper", "third"});
    CHECK(at("helper(a);") == Names{"helper", "second"});
}

TEST_CASE("a change in a helper reaches its callers and theirs") {
    CHECK(at("+ 1") == Names{"second"});
}

TEST_CASE("a change outside of all functions, or in a class, may reach everything") {
    CHECK(at("2;").empty());
    CHECK(at("namespace exercise {").empty());
}

TEST_CASE("the functions that a source defines are those with a body, outside of classes") {
    CHECK(verify::defined_functions(source) == Names{"first", "helper", "second", "third"});
    CHECK(verify::defined_functions("int one();\n[[gnu::used]] inline int two(int a) { return a; }\n") ==
          Names{"two"});
}

TEST_CASE("functions reach each other across files") {
    const std::vector<std::string> files{"int one() { return 1; }\n",
                                         "int two() { return one() + 1; }\nint three() { return 3; }\n"};
    CHECK(verify::untouched(files, 0, files[0].find("1;")) == Names{"three"});
    CHECK(verify::untouched(files, 1, files[1].find("+ 1")) == Names{"one", "three"});
}
