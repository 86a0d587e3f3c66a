#include "build/chosen_options.h"

#include <doctest/doctest.h>

using build::line_marker_in;
using build::may_choose_options;
using build::without_options;

TEST_CASE("an ordinary source need not be preprocessed") {
    CHECK_FALSE(
        may_choose_options("#include \"contract.h\"\n#include <vector>\nint f(int a) { return a % 3; }\n"));
    CHECK_FALSE(may_choose_options("#pragma unroll\n[[nodiscard]] int f();\n"));
}

TEST_CASE("whatever might make an option of the compiler is looked at") {
    for (const char* source :
         {"#pragma GCC optimize(\"O3\")\n", "__attribute__((hot)) int f();\n", "#define C(a, b) a##b\n",
          "#define C(a, b) a%:%:b\n", "[[gnu::tar\\\nget(\"avx2\")]] int f();\n", "#include <sys/cdefs.h>\n",
          "#include \"lookup.cpp\"\n", "int x = __CONCAT(1, 2);\n", "#include <math.h>\n",
          "int target = 1;\n"}) {
        CAPTURE(source);
        CHECK(may_choose_options(source));
    }
}

TEST_CASE("pragmas that choose options are taken out with a note, and others stay") {
    const auto left =
        without_options("# 1 \"a.cpp\"\nint a;\n#pragma GCC optimize(\"O3\")\n#pragma unroll\nint b;\n");
    CHECK(left.text == "# 1 \"a.cpp\"\nint a;\n                          \n#pragma unroll\nint b;\n");
    REQUIRE(left.notes.size() == 1);
    CHECK(left.notes[0].severity == model::Severity::note);
    CHECK(left.notes[0].file == "a.cpp");
    CHECK(left.notes[0].line == 2);
    CHECK(left.errors.empty());
}

TEST_CASE("a pragma that goes on in another line leaves both lines") {
    CHECK(without_options("#pragma GCC \\\noptimize(3)\nint a;\n").text ==
          "             \n           \nint a;\n");
}

TEST_CASE("attributes lose what chooses options and keep the rest") {
    const auto text = [](const std::string& source) { return without_options(source).text; };
    CHECK(text("__attribute__((optimize(\"O3\"), hot)) int f();") ==
          "__attribute__((              , hot)) int f();");
    CHECK(text("[[gnu::target(\"avx2\"), nodiscard]] int f();") ==
          "[[                   , nodiscard]] int f();");
    CHECK(text("[[using gnu: __optimize__(3)]] int f();") == "[[using gnu:                ]] int f();");
    CHECK(text("__attribute__((cleanup(target))) int a;") == "__attribute__((cleanup(target))) int a;");
    CHECK(text("int target = table[index[0]]; optimize(target);") ==
          "int target = table[index[0]]; optimize(target);");
}

TEST_CASE("lists of attributes within each other lose the same, however many there are") {
    const auto text = [](const std::string& source) { return without_options(source).text; };
    CHECK(text("[[[gnu::optimize(3)]]] int f();") == "[[[                ]]] int f();");
    CHECK(text("__attribute__((cleanup([]{ [[gnu::hot, gnu::optimize(3)]] int b; }))) int a;") ==
          "__attribute__((cleanup([]{ [[gnu::hot,                 ]] int b; }))) int a;");
    const std::size_t many = 250'000;
    CHECK(text(std::string(many, '[')) == std::string(many, '['));
    const std::string nested = std::string(many, '[') + "naked" + std::string(many, ']');
    CHECK(without_options(nested).errors.size() == 1);
}

TEST_CASE("a directive within an attribute does not end it") {
    const std::string left =
        without_options(
            "[[gnu::optimize(\n#pragma x )]] __attribute__((optimize(3))) int f();\n)]] int g();\n")
            .text;
    CHECK(left == "[[              \n#pragma x )]] __attribute__((optimize(3))) int f();\n ]] int g();\n");
    CHECK(without_options(left).notes.empty());
    CHECK(without_options("__attribute__\n#pragma x\n((optimize(3))) int f();\n").notes.size() == 1);
    CHECK(
        without_options("[\n#pragma x\n[gnu::hot,\n#pragma (\ngnu::optimize(3)]] int f();\n").notes.size() ==
        1);
}

TEST_CASE("a naked function is refused, with its line") {
    const auto left = without_options("# 7 \"a.cpp\"\n__attribute__((naked)) void f();\n");
    REQUIRE(left.errors.size() == 1);
    CHECK(left.errors[0].line == 7);
    CHECK(without_options("int naked = 1;\n").errors.empty());
}

TEST_CASE("what a system header says stays, but not what its macros make in the learner's own lines") {
    CHECK(
        without_options("# 1 \"x.h\" 1 3 4\n#pragma GCC target(\"avx2\")\n# 2 \"a.cpp\" 2\n").notes.empty());
    CHECK(without_options("# 2 \"a.cpp\"\n# 2 \"a.cpp\" 3 4\n__attribute__((optimize(3))) void f();\n")
              .notes.size() == 1);
}

TEST_CASE("a source that writes line markers is found out") {
    CHECK(line_marker_in("int a;\n  # 33 \"/usr/include/x.h\" 1 3\n") == 2);
    CHECK(line_marker_in("/* */ %: 33 \"x.h\" 1 3\n") == 1);
    CHECK(line_marker_in("#line 3 \"x\"\n#if 1\n#endif\n#define N 3\n") == 0);
}
