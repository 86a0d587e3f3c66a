#include "emulator/rewrite.h"

#include <doctest/doctest.h>

/// What the rewriter refuses in device code, because nvcc does.
namespace {

void expect_accepted(const std::string& source) {
    for (const auto& error : emulator::rewrite(source, "a.cu").errors)
        FAIL_CHECK("line " << error.line << ": " << error.message << "\n" << source);
}

void expect_error(const std::string& source, int line, const std::string& words) {
    const auto result = emulator::rewrite(source, "a.cu");
    CAPTURE(source);
    REQUIRE(result.errors.size() == 1);
    CHECK(result.errors[0].line == line);
    CHECK_MESSAGE(result.errors[0].message.find(words) != std::string::npos, result.errors[0].message);
}

std::string in_kernel(const std::string& body) {
    return "__global__ void k() {\n" + body + "\n}\n";
}

} // namespace

TEST_CASE("functions of the host's library are refused in device code, by what to use instead") {
    expect_error(in_kernel("p[0] = std::min(1, 2);"), 2, "call min without std::");
    expect_error(in_kernel("std::swap(p[0], p[1]);"), 2, "by way of a variable");
    expect_error(in_kernel("const float m = std::numeric_limits<float>::max();"), 2, "FLT_MAX");
    expect_error(in_kernel("p[0] = std::bit_cast<int>(1.0f);"), 2, "__float_as_uint");
    expect_error("__global__ void k(std::span<int> p) {}", 1, "pass the pointer");
    expect_accepted(in_kernel("p[0] = std::sqrt(2.0f) + std::size_t(3) + std::numeric_limits<int>::digits;"));
    expect_accepted(in_kernel("p[0] = cuda::std::min(1, 2);"));
    expect_accepted("void h() { std::min(1, 2); }");
    expect_accepted("consteval int f(int v) { return v; }\n" + in_kernel("p[0] = f(3);"));
    expect_error("constexpr int f(int v) { return v; }\n" + in_kernel("p[0] = f(3);"), 3,
                 "mark it __device__");
    expect_error(in_kernel("auto f = [=] __device__ (int v) { return v; };"), 2,
                 "cannot be marked __device__");
    expect_accepted(in_kernel("struct S { [[nodiscard]] __device__ int f() { return 1; } }; p[0] = p[1];"));
}

TEST_CASE("variables of the host are refused in device code unless their value is compiled in") {
    const std::string kernel = "__global__ void k(int* p) {\n p[0] = n; }";
    expect_error("int n = 3;\n" + kernel, 3, "variable of the host");
    expect_error("const int* n;\n" + kernel, 3, "variable of the host");
    expect_error("constexpr int n[2] = {1, 2};\n" + kernel, 3, "variable of the host");
    expect_error("namespace a {\nint n; }\n" + kernel, 4, "variable of the host");
    for (const std::string declaration :
         {"const int n = 3;", "constexpr int n{3};", "__constant__ int n;", "__device__ int n = 2;",
          "static __device__ int n;", "int* const n = nullptr;", "int n();", "struct n {};", "using n = int;",
          "namespace n = m;"})
        expect_accepted(declaration + "\n" + kernel);
    expect_accepted("int n = 3;\n__global__ void k(int n) { n = 1; }");
    expect_accepted(
        "float n[3];\n__global__ void k(int* p) { p[0] = sizeof(n); p->n = 1; int n = 2; p[0] = n; }");
    expect_accepted("int n = 3;\nvoid h() { n = 4; }");
}

TEST_CASE("variables that are __constant__ are not written in device code") {
    const std::string declared = "struct P { int v; };\n__constant__ int n[2]; __constant__ P p;\n";
    for (const std::string body : {"n[0] = 1;", "++n[1];", "n[x[1]] += 2;", "p.v = 3;", "p.v--;"})
        expect_error(declared + "__global__ void k(int* x) {\n" + body + " }", 4, "is __constant__");
    for (const std::string body :
         {"x[0] = n[1];", "x[n[0]] = p.v;", "if (n[0] == 1) x[0] = 1;", "int n = 1; n = 2;"})
        expect_accepted(declared + "__global__ void k(int* x) {\n" + body + " }");
    expect_accepted(declared + "void h() { P p; p.v = 1; }");
    const std::string pointers =
        "struct Q { int* to; };\n__constant__ int* n; __constant__ Q q; __constant__ int* m[2];\n";
    for (const std::string body : {"n[0] = 1;", "*n = 2;", "q.to[1] = 3;", "++q.to[0];", "m[0][1] = 4;"})
        expect_accepted(pointers + "__global__ void k(int* x) {\n" + body + " }");
}

TEST_CASE("a kernel returns nothing, is no member and knows its parameters") {
    expect_error("__global__ int k() { return 1; }", 1, "declare it void");
    expect_error("struct S {\n static __global__ void k() {} };", 2, "cannot be a member function");
    expect_error("__global__ void k(int n, ...) {}", 1, "parameters that are known");
    for (const std::string kernel :
         {"__global__ void k() {}", "__global__ auto k() -> void {}",
          "template <class... T> __global__ void k(T...) {}",
          "template <class... T> __global__ void k(Pair<T...>) {}", "static void __global__ k(int* x) {}"})
        expect_accepted(kernel);
}

TEST_CASE("functions of the C library that belong to the host are refused in device code") {
    expect_error(in_kernel("p[0] = rand();"), 2, "rand belongs to the host");
    expect_error(in_kernel("if (p[0]) exit(1);"), 2, "exit belongs to the host");
    expect_accepted("__device__ int rand() { return 4; }\n" + in_kernel("p[0] = rand();"));
    expect_accepted(in_kernel("int time = 3; p[0] = time;"));
    expect_accepted("constexpr int time = 3;\n" + in_kernel("p[0] = time;"));
    expect_accepted("template <int time> __global__ void k(int* p) {\n p[0] = time; }");
    expect_accepted("void h() { p[0] = rand(); }");
}

TEST_CASE("a variable or member may be called free or malloc") {
    for (const std::string body :
         {"int free = 3; p[0] = free + 1;",
          "int first = f(1, 2), *free = p, malloc{4}; free[first] = malloc;",
          "const float* const free = p; if (free && *free > 0) return;",
          "__shared__ int free[32]; free[0] = 1;",
          "for (int free = 0, n = 2; free < n; ++free) p[free] = free;",
          "for (int n = 2, free = 0; free < n; ++free) p[free] = free;",
          "auto free = [&](int i) { return p[i]; }; free(1);",
          "[[maybe_unused]] std::size_t free; unsigned long malloc(3);",
          "const auto at = [&](int free) { return p[free]; }; at(2);",
          "struct Slot { int free; } slot; slot.free = 1; Slot* s = &slot; s->free = 2;",
          "p[0] = Pool::free;", "label: int free; if (n) { free = 2; }"})
        expect_accepted(in_kernel(body));
    expect_accepted("__global__ void k(int* p, const int* free) { p[0] = *free; }");
    expect_accepted("__device__ int f(Pair<int, 2>& free, int) { return free.a; }");
    expect_accepted("struct Pool { __device__ int take() { return free--; } int used = 0, free; };");
}

TEST_CASE("a call of the host's free or malloc is refused wherever no such name is declared") {
    for (const std::string body :
         {"free(p);", "if (p) p[0] = 1; else free(p);", "if (p && free(p)) return;", "f(p, free);",
          "auto* q = malloc(4);", "auto release = free;", "return free(p);", "do free(p); while (0);",
          "int a = 2 * b, c = d & free(p);", "::free(p);", "std::free(p);",
          "{ int free = 3; p[0] = free; } free(p);",
          "for (int free = 0; free < 2; ++free) { p[free] = 1; } free(p);", "free(p); int free = 2;",
          "int free = 2; ::free(p);", "struct Slot { int free; }; free(p);"})
        expect_error(in_kernel(body), 2,
                     body.find("malloc") == std::string::npos ? "cannot free" : "cannot allocate");
    expect_error("__device__ int f(int free) { return free; }\n__global__ void k(int* p) { free(p); }", 2,
                 "cannot free");
}

TEST_CASE("calls between host and device are checked by name") {
    expect_error("int f(int a) { return a; }\n__global__ void k() {\n f(1); }", 3, "mark it __device__");
    expect_error("__global__ void k(int);\nvoid h() {\n k(1); }", 3, "launch it with");
    expect_error("template <class T> __global__ void k(T);\nvoid h() {\n k<int>(1); }", 3, "launch it with");
    expect_accepted("__device__ int f() { return 1; }\n__global__ void k() { f(); }");
    expect_error("constexpr int f() { return 1; }\n__global__ void k() { f(); }", 2, "mark it __device__");
    expect_accepted("#define HD __host__ __device__\nHD int f() { return 1; }\n__global__ void k() { f(); }");
    expect_accepted("__global__ void k(int) {}\nvoid k() { k<<<1, 2>>>(3); }\nvoid h() { k(); }");
    expect_accepted("__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x); }\n"
                    "__global__ void k() { make_float4(1); }");
    expect_accepted(
        "struct S { __device__ int operator()(int) const { return 1; } };\n__global__ void k(S s) "
        "{ s(1); }");
    expect_error("struct S { int f() { return 1; } };\n__global__ void k(S s) {\n s.f(); }", 3,
                 "member function of the host");
    expect_error("struct S { S(int a) {} };\n__global__ void k() {\n S s(1); }", 3, "constructor of S");
    expect_accepted(
        "struct S { __device__ S(int a) {} int f() { return 1; } };\n__global__ void k() { S s(1); }");
    expect_accepted(
        "int f(int a) { return a; }\n__global__ void k() { auto f = [](int a) { return a; }; f(1); }");
    expect_accepted(
        "struct S { __device__ int f() { return 1; } };\nint f() { return 2; }\n__global__ void k(S s) "
        "{ s.f(); }");
    expect_accepted("__global__ void k() {}\nvoid h() { auto p = k; auto q = &k; }");
}
