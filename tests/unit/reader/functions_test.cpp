#include "reader/functions.h"

#include <algorithm>
#include <doctest/doctest.h>

namespace {

const std::string source = R"(
namespace exercise {
namespace {
constexpr int half(int a) { return a / 2; }
const auto twice = [](int a) { return a + a; };
struct Box {
    explicit Box(int a) : a_(a) { a_ += 1; }
    int get() const {
        return std::max(a_, [] { return 2; }());
    }
    int a_ = 0;
};
} // namespace
int first(int a) { return half(a); }
} // namespace exercise
)";

reader::Function at(const std::string& text) {
    const std::size_t offset = source.find(text);
    for (const reader::Function& function : reader::functions_of(source))
        if (function.opens < offset && offset < function.closes) return function;
    FAIL("no function holds it");
    return {};
}

} // namespace

TEST_CASE("functions are found in namespaces and classes, and what lies within them is theirs") {
    CHECK(reader::functions_of(source).size() == 5);
    CHECK(at("return half").name == "first");
    CHECK_FALSE(at("return half").in_class);
    CHECK(at("return std::max").name == "get");
    CHECK(at("return std::max").in_class);
    CHECK(at("return 2").name == "get");
    CHECK(at("a_ += 1").in_class);
    CHECK(at("a + a").name.empty());
}

TEST_CASE("functions of constant expressions are told from others") {
    CHECK(at("a / 2").constant);
    CHECK_FALSE(at("return half").constant);
    CHECK_FALSE(at("a_ += 1").constant);
}

TEST_CASE("braces are given with their lines") {
    const reader::Function get = at("return std::max");
    CHECK(source[get.opens] == '{');
    CHECK(source[get.closes] == '}');
    CHECK(get.first_line == 8);
    CHECK(get.last_line == 10);
}

TEST_CASE("the functions that a source defines are those with a body, outside of classes") {
    CHECK(reader::defined_functions(source) == std::vector<std::string>{"first", "half"});
    CHECK(reader::defined_functions("int one();\n[[gnu::used]] inline int two(int a) { return a; }\n") ==
          std::vector<std::string>{"two"});
}

TEST_CASE("functions whose return type follows from their body are told from others") {
    CHECK(at("a + a").deduced);
    CHECK_FALSE(at("return half").deduced);
    CHECK(reader::functions_of("auto f(int a) { return a; }\n").at(0).deduced);
    CHECK_FALSE(reader::functions_of("int f(auto a) { return a; }\n").at(0).deduced);
}
