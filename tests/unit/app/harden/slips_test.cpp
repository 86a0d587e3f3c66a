#include "app/harden/slips.h"

#include <doctest/doctest.h>
#include <set>

namespace {

using harden::Kind;
using Programs = std::set<std::string>;

std::string function(const std::string& body) {
    return "void f(int n, float* out) { " + body + " }";
}

/// The bodies that slips of one kind make of a body.
Programs made(Kind kind, const std::string& body) {
    const std::string source = function(body);
    const std::string head = source.substr(0, source.find('{') + 2);
    Programs programs;
    for (const harden::Slip& slip : harden::slips_of(source)) {
        if (slip.kind != kind) continue;
        const std::string program = slip.apply(source);
        REQUIRE(program.starts_with(head));
        programs.insert(program.substr(head.size(), program.size() - head.size() - 2));
    }
    return programs;
}

} // namespace

TEST_CASE("an operator of two values becomes its neighbour") {
    CHECK(made(Kind::operation, "use(a / b);") == Programs{"use(a * b);"});
    CHECK(made(Kind::operation, "use(a == b);") == Programs{"use(a != b);"});
    CHECK(made(Kind::operation, "use(std::min(a, b));") == Programs{"use(std::max(a, b));"});
}

TEST_CASE("a sign, a pointer and a template list are no operators") {
    CHECK(made(Kind::operation, "use(-a);").empty());
    CHECK(made(Kind::operation, "float* p = q;").empty());
    CHECK(made(Kind::bound, "std::vector<float> v;").empty());
}

TEST_CASE("a bound moves by one, and a condition is forgotten") {
    CHECK(made(Kind::bound, "for (int i = 0; i < n; ++i) use(i);") ==
          Programs{"for (int i = 0; i <= n; ++i) use(i);", "for (int i = 1; i < n; ++i) use(i);"});
    CHECK(made(Kind::bound, "use(a < 0 || b);").contains("use(a < 0);"));
    CHECK(made(Kind::bound, "use(1); if (n == 0) return; use(2);") == Programs{"use(1); use(2);"});
}

TEST_CASE("a check that has an alternative stays") {
    CHECK(made(Kind::bound, "if (n == 0) return; else use(2);").empty());
}

TEST_CASE("an index is another loop's, or always the first") {
    const std::string loops = "for (int i = 0; ; ) for (int j = 0; ; ) ";
    const Programs programs = made(Kind::index, loops + "use(a[i]);");
    CHECK(programs.contains(loops + "use(a[j]);"));
    CHECK(programs.contains(loops + "use(a[0]);"));
    CHECK(made(Kind::index, "use(a[i]);").empty()); // no loop's
}

TEST_CASE("a sum keeps its last term alone") {
    CHECK(made(Kind::accumulation, "sum += x;") == Programs{"sum = x;", "sum -= x;"});
    CHECK(made(Kind::accumulation, "sum = x;").empty());
}

TEST_CASE("arguments and statements change places, jumps and declarations stay") {
    CHECK(made(Kind::order, "use(a, b);") == Programs{"use(b, a);"});
    CHECK(made(Kind::order, "use(a, a);").empty());
    CHECK(made(Kind::order, "one(); two();") == Programs{"two(); one();"});
    CHECK(made(Kind::order, "one(); return;").empty());
    CHECK(made(Kind::order, "int a = 1; use(a);").empty());
    CHECK(made(Kind::order, "one(); __syncthreads(); int a = 0;").contains("one(); ; int a = 0;"));
}

TEST_CASE("a stride is taken for a width") {
    CHECK(made(Kind::stride, "use(m.stride);") == Programs{"use(m.cols);"});
    CHECK(made(Kind::stride, "use(m.cols());").empty()); // a call is something else
    CHECK(made(Kind::stride, "use(r * C); use(b * T);") == Programs{"use(r * C); use(b * C);"});
}

TEST_CASE("names of another function are not taken") {
    const std::string first = "int f(int r, int C) { return r * C; }\n";
    const std::string source = first + "int g(int b, int T) { return b * T; }\n";
    for (const harden::Slip& slip : harden::slips_of(source))
        CHECK(slip.kind != Kind::stride);
}

TEST_CASE("a variable outlives the call") {
    CHECK(made(Kind::lifetime, "float sum = 0;") == Programs{"static float sum = 0;"});
    CHECK(made(Kind::lifetime, "static float sum = 0;").empty());
    CHECK(made(Kind::lifetime, "float& x = sum;").empty()); // what it refers to is gone by the next call
    CHECK(made(Kind::lifetime, "use(sum);").empty());
    CHECK(made(Kind::lifetime, "run([&] { use(n); });").contains("run([=] { use(n); });"));
}

TEST_CASE("nothing outlives a call in CUDA, where variables of kernels cannot") {
    const std::string kernel = "__global__ void f() { float sum = 0; }";
    for (const harden::Slip& slip : harden::slips_of(kernel))
        CHECK(slip.kind != Kind::lifetime);
}

TEST_CASE("a type is too narrow") {
    CHECK(made(Kind::width, "double sum = 0;") == Programs{"float sum = 0;"});
    CHECK(made(Kind::width, "float sum = 0;").empty());
}

TEST_CASE("what is outside of functions stays as it is") {
    CHECK(harden::slips_of("#define N 5 + 1\nconstexpr int a = 1 + 2;\nint f(int a = 3 - 1);\n").empty());
}

TEST_CASE("what is left out leaves no gap") {
    const std::string source = "void f(int n) {\n    if (n == 0) return;\n    use(n);\n}\n";
    Programs programs;
    for (const harden::Slip& slip : harden::slips_of(source))
        programs.insert(slip.apply(source));
    CHECK(programs.contains("void f(int n) {\n    use(n);\n}\n"));
}

TEST_CASE("a text that is no program has slips or none, and nothing breaks") {
    for (const char* text : {"", "{", "}", "void f() {", "void f() { if (", "void f() { a[", "f(){;;}",
                             "void f() { for (int i = 0; i < ", "void f() { return + }"})
        for (const harden::Slip& slip : harden::slips_of(text))
            CHECK(slip.offset + slip.length <= std::string(text).size());
}
