#include "bundle/places.h"

#include <doctest/doctest.h>

namespace {

using Kind = bundle::Place::Kind;
using Texts = std::vector<std::string>;

/// The places of one kind in a function with this body.
Texts found(Kind kind, const std::string& body, const std::string& head = "void f(int n)") {
    const std::string source = head + " {" + body + "}\n";
    Texts texts;
    for (const bundle::Place& place : bundle::places_of(source))
        if (place.kind == kind) texts.push_back(source.substr(place.begin, place.length()));
    return texts;
}

} // namespace

TEST_CASE("statements are places, declarations are not, but what variables begin with is") {
    const std::string body =
        "g(n); std::size_t k = n + 1; float* p = &a[k]; *p = 3; const auto& q = h<int>(k);"
        "Tensor t(n); std::vector<float> v; auto [x, y] = pair(n); return p[k];";
    CHECK(found(Kind::statement, body) == Texts{"g(n);", "*p = 3;", "return p[k];"});
    CHECK(found(Kind::value, body) == Texts{"n + 1", "&a[k]", "h<int>(k)"});
    CHECK(found(Kind::body, body) == Texts{body});
}

TEST_CASE("what the compiler needs to know itself, lists, lambdas and several variables are no values") {
    CHECK(found(Kind::value, "static int a = 1; constexpr int b = 2; const constinit int c = 3;").empty());
    CHECK(found(Kind::value, "Shape s = {1, 2}; auto add = [](int v) { return v; };").empty());
    CHECK(found(Kind::value, "int a = 1, b = 2;").empty());
}

TEST_CASE("conditions and the three parts of a for") {
    const std::string body =
        "if (n < 3) g(); else if (n > 5) h(); while (n != 0) --n; for (int i = 0; i < n; ++i) k(i);";
    CHECK(found(Kind::condition, body) == Texts{"n < 3", "n > 5", "n != 0", "i < n"});
    CHECK(found(Kind::step, body) == Texts{"++i"});
    CHECK(found(Kind::value, body) == Texts{"0"});
    CHECK(found(Kind::statement, body) == Texts{"g();", "h();", "--n;", "k(i);"});
}

TEST_CASE("conditions that declare, that the compiler evaluates or that are not there are no places") {
    CHECK(found(Kind::condition, "if (const int k = g()) h(); if (int k = g(); k > 2) h();").empty());
    CHECK(found(Kind::condition, "if constexpr (n < 3) g();").empty());
    CHECK(found(Kind::condition, "for (;;) g(); for (const int v : all) g();").empty());
    CHECK(found(Kind::step, "for (;;) g(); for (const int v : all) g();").empty());
}

TEST_CASE("a lambda's statements are places within the one that holds it") {
    const Texts texts = found(Kind::statement, "each([&](int v) { g(v); if (v > 0) return; });");
    CHECK(texts == Texts{"each([&](int v) { g(v); if (v > 0) return; });", "g(v);", "return;"});
}

TEST_CASE("what is not run by the program alone has no places") {
    CHECK(found(Kind::body, "return n;", "constexpr int f(int n)").empty());
    CHECK(found(Kind::statement, "return n;", "constexpr int f(int n)").empty());
    CHECK(bundle::places_of("int a = 3;\nstruct S { int b = 4; };\n").empty());
}

TEST_CASE("copies are exact where they do what each does alone") {
    const auto exact = [](const std::string& code, const std::string& body,
                          const std::string& head = "void f(int n)") {
        const std::string source = head + " {" + body + "}\n";
        for (const bundle::Place& place : bundle::places_of(source))
            if (source.substr(place.begin, place.length()) == code) return place.exact;
        FAIL("no such place");
        return false;
    };
    CHECK(exact("g(n);", "g(n); h(n);"));
    CHECK(exact("*p = n * 2;", "h(n); *p = n * 2;"));
    CHECK(exact("row[n] *= 2;", "row[n] *= 2; h(n);"));
    CHECK(exact("n < 3", "if (n < 3) h(n);"));
    CHECK(exact("return n * 2;", "h(n); return n * 2;", "int f(int n)"));
    CHECK(exact("n", "double x = n;"));
    // Declarations in disguise, values whose type is not named, and returns that decide a type.
    CHECK_FALSE(exact("float *p = a;", "float *p = a; h(p);"));
    CHECK_FALSE(exact("std::array<int, 2 + 2> v;", "std::array<int, 2 + 2> v; h(v);"));
    CHECK_FALSE(exact("n / 2", "auto x = n / 2;"));
    CHECK_FALSE(exact("2 + 2", "const int x = 2 + 2;"));
    CHECK_FALSE(exact("return n;", "h(n); return n;", "auto f(int n)"));
    CHECK_FALSE(exact("return v;", "h([](int v) { g(v); return v; });"));
    CHECK(exact("return v;", "h([](int v) -> int { g(v); return v; });"));
}
