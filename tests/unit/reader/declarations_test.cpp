#include "reader/declarations.h"

#include <doctest/doctest.h>

namespace {

using Kind = reader::Declaration::Kind;

struct Found {
    Kind kind;
    std::string name;
    std::string text;

    bool operator==(const Found&) const = default;
};

std::vector<Found> found(const std::string& source) {
    const std::vector<reader::Word> words = reader::read_words(source);
    std::vector<Found> list;
    for (const reader::Declaration& each : reader::declarations_of(words)) {
        const std::size_t begin = words[each.first].offset;
        list.push_back({each.kind, each.name, source.substr(begin, words[each.last - 1].end() - begin)});
    }
    return list;
}

bool keeps_state(const std::string& source) {
    const std::vector<reader::Word> words = reader::read_words(source);
    return reader::keeps_state(words, reader::declarations_of(words));
}

} // namespace

TEST_CASE("declarations are found in all namespaces, with their kinds and names") {
    const std::vector<Found> all = found("namespace exercise {\n"
                                         "namespace {\n"
                                         "struct Row { int n = 0; int get() const { return n; } };\n"
                                         "enum class Mode : int { one, two };\n"
                                         "using Rows = std::vector<Row>;\n"
                                         "constexpr double eps = 1e-5;\n"
                                         "double half(double value);\n"
                                         "template <class T> T twice(T value) { return value + value; }\n"
                                         "auto third(double v) -> double { return v / 3; }\n"
                                         "}\n"
                                         "[[nodiscard]] static int zero() { return 0; }\n"
                                         "}\n");
    REQUIRE(all.size() == 8);
    CHECK(all[0] == Found{Kind::type, "Row", "struct Row { int n = 0; int get() const { return n; } };"});
    CHECK(all[1] == Found{Kind::type, "Mode", "enum class Mode : int { one, two };"});
    CHECK(all[2] == Found{Kind::alias, "Rows", "using Rows = std::vector<Row>;"});
    CHECK(all[3] == Found{Kind::variable, "eps", "constexpr double eps = 1e-5;"});
    CHECK(all[4] == Found{Kind::function, "half", "double half(double value);"});
    CHECK(all[5].kind == Kind::function);
    CHECK(all[5].name == "twice");
    CHECK(all[6] == Found{Kind::function, "third", "auto third(double v) -> double { return v / 3; }"});
    CHECK(all[7].name == "zero");
}

TEST_CASE("what tokens cannot name has no name") {
    CHECK(found("using namespace std;")[0].kind == Kind::other);
    CHECK(found("static_assert(true);")[0].kind == Kind::other);
    CHECK(found("int a = 1, b = 2;")[0].name.empty());
    CHECK(found("bool operator==(Row a, Row b) { return true; }")[0].name.empty());
    CHECK(found("std::vector<float> cache(100);")[0] ==
          Found{Kind::variable, "cache", "std::vector<float> cache(100);"});
}

TEST_CASE("variables that outlive a call are state, constants and functions are not") {
    CHECK(keeps_state("std::vector<bool> last_mask;"));
    CHECK(keeps_state("static int calls = 0;"));
    CHECK(keeps_state("const std::vector<double> table = make_table();"));
    CHECK(keeps_state("const double base = read_base();"));
    CHECK(keeps_state("int f() { static int calls = 0; return ++calls; }"));
    CHECK(keeps_state("int f() { thread_local int calls = 0; return ++calls; }"));
    CHECK(keeps_state("class Module { inline static bool training = true; };"));
    CHECK_FALSE(keeps_state("constexpr std::array<int, 2> two{1, 2};"));
    CHECK_FALSE(keeps_state("const double eps = 1e-5;"));
    CHECK_FALSE(keeps_state("int f() { static constexpr int n = 3; int k = n; return k; }"));
    CHECK_FALSE(
        keeps_state("static int f(int a);\nclass Module { static int g() { return 1; } int n = 0; };"));
}
