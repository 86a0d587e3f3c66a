#include "rewritten.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace {

/// What a launch of `kernel` becomes.
std::string launch(const std::string& kernel, const std::string& configuration) {
    return "::cuda_emulator::Launch(\"" + kernel + "\", " + configuration +
           ").with([=](auto cuda_emulator_probe) -> decltype(cuda_emulator_probe(" + kernel +
           ")) { return cuda_emulator_probe(" + kernel + "); }, [=](auto&... cuda_emulator_arguments) { " +
           kernel + "(cuda_emulator_arguments...); })";
}

void expect_error(const std::string& source, int line, const std::string& words) {
    const auto result = emulator::rewrite(source, "a.cu");
    CAPTURE(source);
    REQUIRE(result.errors.size() == 1);
    CHECK(result.errors[0].line == line);
    CHECK_MESSAGE(result.errors[0].message.find(words) != std::string::npos, result.errors[0].message);
}

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

std::string in_kernel(const std::string& body) {
    return "__global__ void k() {\n" + body + "\n}\n";
}

} // namespace

TEST_CASE("source without CUDA stays as it is") {
    const std::string source =
        "#include <vector>\r\nint f(int a) { return a << 2 >> 1; } // <<<\n\tstd::vector<std::vector<"
        "std::vector<int>>> v;\n";
    CHECK(rewritten(source) == source);
}

TEST_CASE("a launch becomes a call with its arguments untouched") {
    CHECK(rewritten("void h() { k<<<g, b>>>(x, y + 1); }") ==
          "void h() { " + launch("k", "g, b") + "(x, y + 1); }");
    CHECK(rewritten("void h() { k<<<dim3(1, 2), 32, f(a, b) >> 1, s>>>(); }") ==
          "void h() { " + launch("k", "dim3(1, 2), 32, f(a, b) >> 1, s") + "(); }");
}

TEST_CASE("the callee may be a template, qualified, a member or an expression") {
    for (const std::string callee :
         {"k<float, 4>", "ns::k", "::ns::k<int>", "a<b>::k", "this->k", "table[i + 1]", "(*pointer)",
          "k<(1 > 0)>", "k<sizeof(int[2])>", "k<A<B<int>>>"})
        CHECK(without_blanks(rewritten("void h() { return " + callee + "<<<1, 2>>>(p); }")) ==
              without_blanks("void h() { return " + launch(callee, "1, 2") + "(p); }"));
}

TEST_CASE("template arguments in the configuration end before the launch does") {
    CHECK(rewritten("void h() { k<<<f<int>, g<8>>>>(p); }") ==
          "void h() { " + launch("k", "f<int>, g<8>") + "(p); }");
}

TEST_CASE("comments and strings are no code") {
    const std::string source =
        "const char* s = \"k<<<1, 2>>>(3)\"; /* __shared__ x; k<<< */ char c = '<'; // k<<<1>>>\n"
        "auto r = R\"x(k<<<1,2>>>(); \")\" __shared__)x\"; int n = 1'000'000;\n";
    CHECK(rewritten(source) == source);
}

TEST_CASE("a launch inside a macro is rewritten too") {
    const std::string body = rewritten("#define GO(k, x) \\\n    k<<<1, 2>>>(x)\n");
    CHECK(body.find("Launch(CUDA_EMULATOR_TEXT(k), 1, 2)") != std::string::npos);
    CHECK(body.find("k(cuda_emulator_arguments...)") != std::string::npos);
}

TEST_CASE("lines keep their numbers") {
    const std::string source =
        "void h() {\n  k<int,\n    2><<<\n    grid,\n    block>>>(\n  a);\n}\nint last;\n";
    const std::string text = rewritten(source);
    CHECK(std::count(text.begin(), text.end(), '\n') == std::count(source.begin(), source.end(), '\n'));
    CHECK(text.ends_with("\nint last;\n"));
}

TEST_CASE("a kernel checks how it was called") {
    CHECK(rewritten("__global__ void k(int* p) { *p = 1; }") ==
          "__global__ void k(int* p) { ::cuda_emulator::enter_kernel(\"k\", 1024u, __LINE__); *p = 1; }");
    const auto bounded = rewritten("template <int n> __global__ void __launch_bounds__(f(n, 2), 2) k() {}");
    CHECK(bounded.find("enter_kernel(\"k\", static_cast<unsigned int>(f(n, 2)), __LINE__);}") !=
          std::string::npos);
    CHECK(emulator::rewrite("__global__ void a() {} __device__ int f() { return 1; } __global__ void b(int);",
                            "x")
              .kernels == std::vector<std::string>{"a", "b"});
}

TEST_CASE("shared variables become references into the block's memory") {
    const auto text = rewritten(in_kernel("__shared__ float tile[32][33], *p; static __shared__ int count;"));
    CHECK(text.find("struct cuda_emulator_shared_1 { float tile[32][33]; }; [[maybe_unused]] auto& tile = "
                    "::cuda_emulator::shared<cuda_emulator_shared_1>(\"tile\").tile;") != std::string::npos);
    CHECK(text.find("struct cuda_emulator_shared_2 { float *p; };") != std::string::npos);
    CHECK(text.find("struct cuda_emulator_shared_3 { int count; };") != std::string::npos);
    CHECK(text.find("__shared__") == std::string::npos);
}

TEST_CASE("shared variables of template and class types keep their names") {
    const auto text = rewritten(in_kernel("__shared__ typename Pair<float, int>::type pairs[N * 2];\n"
                                          "volatile __shared__ int flag;\n"
                                          "__shared__ union { float f; int i; } both;"));
    CHECK(text.find("(\"pairs\").pairs") != std::string::npos);
    CHECK(text.find("volatile int flag;") != std::string::npos);
    CHECK(text.find("(\"both\").both") != std::string::npos);
}

TEST_CASE("dynamic shared memory is one array at either scope") {
    CHECK(rewritten(in_kernel("extern __shared__ __align__(16) unsigned char s[];"))
              .find("[[maybe_unused]] auto& s = ::cuda_emulator::dynamic_shared<unsigned char >();") !=
          std::string::npos);
    CHECK(rewritten("extern __shared__ float4 s[];\n").find("[[maybe_unused]] static auto& s") !=
          std::string::npos);
}

TEST_CASE("malformed launches are errors with their line") {
    expect_error("void h() {\n\n k<<<1, 2; }", 3, "no matching >>>");
    expect_error("void h() { k<<<1>>>(); }", 1, "a grid and a block");
    expect_error("void h() { k<<<1, 2>>>; }", 1, "ends with its arguments");
    expect_error("void h() {\n = <<<1, 2>>>(); }", 2, "name of a kernel");
}

TEST_CASE("what the emulator does not have is an error with its line") {
    expect_error(in_kernel("__shared__ int x = 1;"), 2, "initial value");
    expect_error(in_kernel("extern __shared__ int a[4];"), 2, "without size");
    expect_error(in_kernel("int* p = new int;"), 2, "cannot allocate");
    expect_error(in_kernel("asm(\"bar.sync 0;\");"), 2, "PTX");
    expect_error(in_kernel("j<<<1, 2>>>();"), 2, "dynamic parallelism");
    expect_error(in_kernel("std::vector<int> v;"), 2, "belongs to the host");
}

TEST_CASE("a shared variable at file scope is found where it is used, and nowhere else") {
    const auto text = rewritten("__shared__ int tile[4];\n__global__ void k(S s) {\n  tile[0] = s.tile;\n}\n"
                                "__device__ int f(int tile) { return tile; }\n");
    const std::string place = "::cuda_emulator::shared<cuda_emulator_shared_1>(\"tile\").tile";
    CHECK(text.find("  " + place + "[0] = s.tile;") != std::string::npos);
    CHECK(text.find("f(int tile) { return tile; }") != std::string::npos);
}

TEST_CASE("the architecture has a value on the device, and at file scope, and none on the host") {
    CHECK(rewritten("#if __CUDA_ARCH__ >= 700\n#endif\n") == "#if 900 >= 700\n#endif\n");
    CHECK(rewritten("#if defined(__CUDA_ARCH__) && 1\n#endif\n") == "#if 1 && 1\n#endif\n");
    CHECK(rewritten("__device__ int f() {\n#ifdef __CUDA_ARCH__\n  return __CUDA_ARCH__;\n#endif\n}\n") ==
          "__device__ int f() {\n#if 1 \n  return 900;\n#endif\n}\n");
    CHECK(rewritten("int f() {\n#ifdef __CUDA_ARCH__\n#endif\n#ifndef __CUDA_ARCH__\n#endif\n"
                    "#if !defined __CUDA_ARCH__ || __CUDA_ARCH__\n#endif\n}\n") ==
          "int f() {\n#if 0 \n#endif\n#if 1 \n#endif\n#if !0  || 0\n#endif\n}\n");
}

TEST_CASE("a kernel keeps its name and type where it is launched as a value") {
    for (const std::string kernel : {"k", "(void*)k", "(const void *)&k", "reinterpret_cast<void*>(k)"}) {
        const auto text = rewritten("void h() { cudaLaunchKernel(" + kernel + ", g, b, a, 0, s); }");
        CHECK_MESSAGE(text.find("cudaLaunchKernel(::cuda_emulator::named(\"k\", k)") != std::string::npos,
                      text);
    }
    CHECK(without_blanks(rewritten("void h() { cudaLaunchKernelEx(&config, k<float, 2>, 1, 2); }"))
              .find("::cuda_emulator::named(\"k<float,2>\",k<float,2>),1,2)") != std::string::npos);
}

TEST_CASE("a vector put together where it is stored is stored by one access") {
    const auto stored = [](const std::string& statement) {
        const std::string text = rewritten(in_kernel(statement));
        const std::size_t begin = text.find('\n') + 1;
        return without_blanks(text.substr(begin, text.find('\n', begin) - begin));
    };
    const std::string assign = "::cuda_emulator::assign(";
    CHECK(stored("o[i] = {a, b};") == assign + "o[i],{a,b});");
    CHECK(stored("if (n) *(o + i) = float4{a, b, c, d};") == "if(n)" + assign + "*(o+i),float4{a,b,c,d});");
    CHECK(stored("s->v[1].w = make_float2(a, b);") ==
          assign + "::cuda_emulator::members(s->v[1]).w,make_float2(a,b));");
    CHECK(stored("reinterpret_cast<float4*>(o)[i] = {a};") ==
          assign + "reinterpret_cast<float4*>(o)[i],{a});");
    for (const std::string other :
         {"float4 v = {a, b};", "float4 v[2] = {a, b};", "const auto v = make_float4(a);", "o[i] = f(a);",
          "o[i] = make_float4(a).x;", "if (o[i] == make_int2(a, b)) return;", "S<int> s = {a};",
          "o[i] += {a};", "int *p = {a};"})
        CHECK(stored(other) == without_blanks(other));
}

TEST_CASE("members of what may be a vector in memory are marked") {
    const auto marked = [](const std::string& statement) {
        const std::string text =
            rewritten("__device__ void f(int4* p, const float4& v, S s) {" + statement + "}");
        return without_blanks(text.substr(text.find('{') + 1, text.rfind('}') - text.find('{') - 1));
    };
    const std::string of = "::cuda_emulator::members(";
    CHECK(marked("p[i].x = v.y;") == of + "p[i]).x=" + of + "v).y;");
    CHECK(marked("n = p->z + (*p).w;") == "n=" + of + "*p).z+" + of + "(*p)).w;");
    CHECK(marked("s.a[p[i].x].b.y += 1;") == of + "s.a[" + of + "p[i]).x].b).y+=1;");
    CHECK(marked("return s.p->x.y;") == "return" + of + of + "*s.p).x).y;");
    CHECK(marked("float4& o = q[0]; o.x = 1;") == "float4&o=q[0];" + of + "o).x=1;");
    CHECK(marked("p[i].x = {a, b};") == "::cuda_emulator::assign(" + of + "p[i]).x,{a,b});");
    CHECK(marked("reinterpret_cast<int4*>(q)[i].x = 1;") == of + "reinterpret_cast<int4*>(q)[i]).x=1;");
    for (const std::string other : {"float4 r; r.x = 1;", "threadIdx.x;", "S t = {.x = 1};", "f(p).x;",
                                    "this->x = 1;", "p[i].size;", "1.x;"})
        CHECK(marked(other) == without_blanks(other));
    CHECK(without_blanks(rewritten("void host(int4* p) { p[0].x = 1; }")).find(of) == std::string::npos);
}

TEST_CASE("text that is no C++ does not stop the rewriter") {
    for (const std::string source : {"<<<",
                                     "k<<<",
                                     "__shared__",
                                     "\"",
                                     "R\"(",
                                     "/*",
                                     "}}}",
                                     "{{{",
                                     "__global__ void (",
                                     "'",
                                     "k<<<1,2>>>",
                                     "extern __shared__",
                                     "a<<<b>>><<<c>>>",
                                     "]<<<1,2>>>()",
                                     ">><<<1,2>>>()",
                                     "__global__ __launch_bounds__(",
                                     "\\",
                                     "#",
                                     "",
                                     "::<<<1,2>>>(",
                                     "[[[<<<"})
        emulator::rewrite(source, "a.cu");
}

TEST_CASE("a variable of the host is named to the trace, and nothing that device code may read is") {
    const std::string kernel = "__global__ void k(const int* p) {}\n";
    struct Row {
        const char* source;
        const char* names; ///< of the variables
    };
    const Row rows[] = {
        {"int a = 1, b[2] = {f(1, 2), 3}, *c;", "a b c "},
        {"const std::map<int, int> m{{1, 2}};", "m "},
        {"void f() { static const float t[] = {1}; }", "t "},
        {"void f() { if (g()) { const static int t = 1; } }", "t "},
        {"#define LASTING static const\nvoid f() { LASTING int t = 1; }", "t "},
        {"struct S { static constexpr int t[] = {1}; static int f(); static const int n = 3; int m; };",
         "t "},
        {"const auto f = [] { static constexpr int t[] = {1}; return t[0]; };", "t f "},
        {"__device__ int a; __constant__ int b[2]; __managed__ int c = 1;", ""},
        {"__device__ int f() { static int t = 1; return t; }", ""},
        {"void f() { struct S { __device__ int g() { static int t; return t; } }; }", ""},
        {"static int f(int a); extern int b[2]; thread_local int c; using D = int;", ""},
        {"static_assert(sizeof(int) == 4); template <class T> T t = 1; enum class E { a, b };", ""},
        {"void f() { static auto& r = g(); static int (*p)(int) = nullptr; int local = 1; }", ""},
    };
    for (const Row& row : rows) {
        CAPTURE(std::string(row.source));
        const std::string text = rewritten(kernel + row.source + "\n");
        std::string found;
        const std::string call = "::cuda_emulator::host_variable(";
        for (auto at = text.find(call); at != std::string::npos; at = text.find(call, at + 1))
            found += text.substr(at + call.size(), text.find(',', at) - at - call.size()) + " ";
        CHECK(found == row.names);
    }
}

TEST_CASE("what is nested without end, or is longer than any kernel, is refused") {
    std::string nested;
    for (int i = 0; i < 50'000; ++i)
        nested += "struct a {";
    expect_error(nested.substr(0, 10 * 2'900), 1, "nested too deep");
    expect_error(nested, 1, "too long");
    std::string launches;
    for (int i = 0; i < 14'000; ++i)
        launches += "f<<<";
    CHECK(emulator::rewrite(launches, "a.cu").text.size() > launches.size());
}
