#include "diagnosis/compiler.h"

#include "diagnosis/undefined.h"

#include "build/diagnostics.h"
#include "build/symbols.h"
#include "build/toolchain.h"
#include "system/process.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

std::string explain(const std::string& message, const std::vector<std::string>& defined = {}) {
    model::Diagnostic diagnostic;
    diagnostic.message = message;
    return diagnosis::explain(diagnostic, defined);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::string wanted =
    "undefined reference to 'exercise::lookup(contract::Matrix<float const>, std::span<int const, "
    "18446744073709551615ul>, contract::Matrix<float>)'";

} // namespace

TEST_CASE("a function that is not defined at all is told so") {
    CHECK(explain(wanted) == "lookup is declared in contract.h, but your file does not define it.");
}

TEST_CASE("a function with other parameters is told with what was expected and what was found") {
    CHECK(explain(wanted, {"exercise::lookup(contract::Matrix<float const>, int)"}) ==
          "lookup has different parameters from those in contract.h: expected lookup(Matrix<const float>, "
          "std::span<const int>, "
          "Matrix<float>), found lookup(Matrix<const float>, int).");
}

TEST_CASE("a function that differs in a const alone is told that it is the const") {
    CHECK(contains(
        explain(wanted,
                {"exercise::lookup(contract::Matrix<float>, std::span<int const, 18446744073709551615ul>, "
                 "contract::Matrix<float>)"}),
        "differs from contract.h in a const"));
}

TEST_CASE("a function outside the namespace, and one with a misspelt name, are recognised") {
    CHECK(contains(explain(wanted, {"lookup(int)"}), "outside namespace exercise"));
    CHECK(contains(explain(wanted, {"(anonymous namespace)::lookup(int)"}), "outside namespace exercise"));
    CHECK(contains(explain(wanted, {"exercise::lokup(contract::Matrix<float const>, std::span<int const, "
                                    "18446744073709551615ul>, contract::Matrix<float>)"}),
                   "your file defines lokup"));
    CHECK_FALSE(contains(explain(wanted, {"exercise::helper(int)"}), "helper"));
}

TEST_CASE("a function of the learner's own that is nowhere defined is not blamed on the contract") {
    CHECK(contains(explain("undefined reference to 'helper(int)'"),
                   "helper(int) is declared and called, but not defined"));
}

TEST_CASE("what the emulator does not have is told with what to use instead") {
    CHECK(contains(explain("thrust/transform.h: this file cannot be included"), "has no Thrust"));
    CHECK(contains(explain("cub/block/block_scan.cuh: this file cannot be included"), "has no CUB"));
    CHECK(contains(explain("cuda/ptx: this file cannot be included"), "runs no PTX"));
    CHECK(contains(explain("cuda/annotated_ptr: this file cannot be included"), "this part of libcu++"));
    CHECK(contains(explain("helper_functions.h: this file cannot be included"), "--include"));
    CHECK(contains(explain("undefined reference to 'omp_get_num_procs' from a.cu"), "without OpenMP"));
    for (const char* other :
         {"mine/thrust.h: this file cannot be included", "helper: this file cannot be included"}) {
        CAPTURE(other);
        CHECK_FALSE(contains(explain(other), "emulator"));
        CHECK_FALSE(contains(explain(other), "--include"));
    }
}

TEST_CASE("arguments of a launch that do not fit are told what fits") {
    CHECK(contains(explain("the kernel has the parameters (float*, int), and is launched with (int*&, int)"),
                   "pass (float*, int), in this order"));
}

TEST_CASE("an array of variable size is told what to use instead") {
    CHECK(contains(explain("variable length array ‘room’ is used [-Werror=vla]"),
                   "room needs a size that the compiler knows"));
}

TEST_CASE("a name of the contract that is not known at its place asks for the namespace") {
    model::Diagnostic diagnostic;
    diagnostic.message = "‘Status’ does not name a type";
    diagnostic.nearest = "Status";
    CHECK(contains(diagnosis::explain(diagnostic),
                   "inside `namespace exercise { … }`, spelt exactly like that?"));
    diagnostic.message = "‘excercise’ is not a namespace-name";
    diagnostic.nearest = "exercise";
    CHECK(contains(diagnosis::explain(diagnostic), "excercise is not known here: did you mean exercise?"));
}

TEST_CASE("the compiler's own suggestion goes before ours") {
    model::Diagnostic diagnostic;
    diagnostic.message = "‘look’ was not declared in this scope; did you mean ‘lock’?";
    diagnostic.nearest = "lookup";
    CHECK(contains(diagnosis::explain(diagnostic), "did you mean lock?"));
}

TEST_CASE("without a source line a missing semicolon may be at two places") {
    CHECK(explain("expected ‘,’ or ‘;’ before ‘int’") ==
          "A semicolon `;` is missing here or at the end of the line before.");
}

TEST_CASE("symbols are printed as one writes them") {
    CHECK(diagnosis::readable_signature("exercise::f(float const*, contract::Matrix<double const>)") ==
          "f(const float*, Matrix<const double>)");
    CHECK(diagnosis::readable_signature("f(unsigned long const&, int)") == "f(const unsigned long&, int)");
    CHECK(diagnosis::readable_signature("f(std::span<int> const&)") == "f(std::span<int> const&)");
    CHECK(diagnosis::readable_signature("") == "");
}

TEST_CASE("a message without a row gets no explanation, and one that has an explanation keeps it") {
    CHECK(explain("something new").empty());
    model::Diagnostic diagnostic;
    diagnostic.message = "expected ';'";
    diagnostic.explanation = "kept";
    CHECK(diagnosis::explain(diagnostic) == "kept");
}

TEST_CASE("hostile messages are only text") {
    for (const char* text :
         {"undefined reference to '", "undefined reference to ''", "‘’ is not a member of ‘std’",
          "‘ vector’ is not a member of ‘std’", "'{0}{1}' was not declared in this scope",
          "undefined reference to 'exercise::'", "undefined reference to 'exercise::('"})
        CHECK_NOTHROW(explain(text, {"", "(", "::", "exercise::(", "(anonymous namespace)::"}));
    const std::string loud = "'" + std::string(900, 'x') + "' was not declared in this scope";
    CHECK(explain(loud).size() < 300);
}

namespace {

/// A small broken program and a part of what must be said about its first error.
struct Broken {
    const char* situation;
    const char* source;
    const char* says;
};

constexpr Broken broken[] = {
    {"missing semicolon", "int f() {\n    int a = 1\n    return a;\n}\n", "semicolon"},
    {"missing brace", "int f() {\n    if (true) {\n        return 1;\n}\n", "closing brace"},
    {"extra brace", "int f() { return 1; }\n}\n", "too many"},
    {"missing parenthesis", "int f(int a) { return (a + 1; }\n", "parenthesis"},
    {"missing header", "#include \"nowhere.h\"\n", "nowhere.h is not available"},
    {"unknown std name", "#include <cstddef>\nstd::vector<int> v;\n", "#include <vector>"},
    {"unknown std function", "#include <cstddef>\nint f() { return std::accumulate(1, 2, 3); }\n",
     "#include <numeric>"},
    {"unknown identifier", "int f() { return vaule; }\n", "The name vaule is not known"},
    {"misspelt identifier", "int f(int value) { return vaule; }\n", "did you mean value?"},
    {"unknown function", "int f() { return helper(1); }\n", "The name helper is not known"},
    {"unknown type", "Matrx m;\n", "The name Matrx is not known"},
    {"narrowing", "long g();\nint f() { int a{g()}; return a; }\n", "static_cast<int>"},
    {"assignment to const", "void f(const float* p) { p[0] = 1; }\n", "is const"},
    {"dropped const", "void f(const float* p) { float* q = p; q[0] = 1; }\n", "const is dropped"},
    {"wrong conversion", "int f() { int a = \"text\"; return a; }\n", "by itself"},
    {"no return", "int f() { }\n", "no `return` at all"},
    {"value from void", "void f() { return 1; }\n", "void"},
    {"wrong arguments", "int g(int);\nint f() { return g(1, 2); }\n", "argument"},
    {"no member", "struct S { int rows; };\nint f(S s) { return s.height; }\n", "no member height"},
    {"defined twice", "int f() { return 1; }\nint f() { return 2; }\n", "defined twice"},
    {"other result type", "int f(int);\nlong f(int) { return 1; }\n", "result type"},
    {"endless constexpr", "constexpr int f() { for (;;) {} return 1; }\nconstexpr int x = f();\n",
     "constexpr"},
    {"endless template",
     "template <int N> struct T { static constexpr int v = T<N + 1>::v; };\nint x = T<0>::v;\n", "template"},
};

} // namespace

TEST_CASE("common errors of the compilers of this machine are told in plain words") {
    std::string folder = (fs::temp_directory_path() / "engine-explain-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    for (const char* compiler : {"/usr/bin/g++", "/usr/bin/clang++"}) {
        if (access(compiler, X_OK) != 0) {
            MESSAGE("skipped: no " << compiler);
            continue;
        }
        const bool gcc = std::string(compiler).ends_with("/g++");
        for (const Broken& example : broken) {
            CAPTURE(compiler);
            CAPTURE(example.situation);
            std::ofstream(folder + "/lookup.cpp") << example.source;
            sys::Command command;
            command.program = compiler;
            command.arguments = {"-std=c++20",
                                 "-fsyntax-only",
                                 "-ftemplate-depth=64",
                                 gcc ? "-fconstexpr-ops-limit=100000" : "-fconstexpr-steps=100000",
                                 gcc ? "-fno-diagnostics-show-caret" : "-fno-caret-diagnostics",
                                 "lookup.cpp"};
            command.environment = build::compiler_environment(folder);
            command.directory = folder;
            const auto outcome = sys::run(command, {.wall = std::chrono::minutes(2)});
            const auto found =
                build::parse_compiler_output(outcome.output, {"x", {{"lookup.cpp", example.source}}});
            REQUIRE_FALSE(found.empty());
            bool explained = false;
            for (const model::Diagnostic& diagnostic : found)
                explained = explained || contains(diagnosis::explain(diagnostic), example.says);
            INFO(outcome.output);
            CHECK(explained);
            CHECK(found[0].file == "lookup.cpp");
        }
    }
    fs::remove_all(folder);
}
