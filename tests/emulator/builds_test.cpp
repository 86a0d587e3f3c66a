// What a CUDA submission's compile may say, and that neither of its builds knows which one it is.
#include "judged.h"

#include <string>

using namespace judged;

namespace {

/// Macros of which W4(n) is ten thousand times W0(n) with different n.
std::string ten_fold() {
    std::string text;
    for (int level = 1; level <= 4; ++level) {
        text += "#define W" + std::to_string(level) + "(n)";
        for (int digit = 0; digit < 10; ++digit)
            text += " W" + std::to_string(level - 1) + "(n##" + std::to_string(digit) + ")";
        text += '\n';
    }
    return text;
}

} // namespace

TEST_CASE("more than 1 MiB of messages is a compile error that names the program and the limit") {
    const std::string name(2000, 'x');
    struct Row {
        const char* program;
        std::string text;
    };
    const Row rows[] = {
        {"preprocessor", "#define W0(n) _Pragma(\"GCC warning \\\"" + name.substr(0, 100) + "\\\"\")\n" +
                             ten_fold() + "W4(_)\n"},
        {"compiler", "[[deprecated]] void " + name + "();\n#define W0(n) " + name + "();\n" + ten_fold() +
                         "void use() { W3(_) }\n"},
        {"linker", "#define PUT(a, b) a##b\n#define W0(n) void PUT(" + name + ", n)(); PUT(" + name +
                       ", n)();\n" + ten_fold() + "void use() { W3(_) }\n"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.program);
        const model::Judgement judgement =
            fixture().judge(read("reference/cuda-lookup/lookup.cu") + "\n" + row.text);
        CHECK(judgement.verdict == Verdict::compile_error);
        REQUIRE_FALSE(judgement.compile.diagnostics.empty());
        CHECK(says(judgement.compile.diagnostics[0].explanation,
                   "The " + std::string(row.program) + " was stopped after 1 MiB of messages"));
    }
}

TEST_CASE("a race in only one of the builds, by a macro of libstdc++, is in both and found") {
    const std::string racy = program("__global__ void add(int* sum) {\n"
                                     "#ifdef _GLIBCXX_ASSERTIONS\n*sum += 1;\n"
                                     "#else\natomicAdd(sum, 1);\n#endif\n}",
                                     "int* sum; cudaMalloc(&sum, 4); cudaMemset(sum, 0, 4);\n"
                                     "add<<<1, 64, 0, stream>>>(sum);\ncudaFree(sum);");
    const auto finds_race = [](const std::string& text) {
        const model::Judgement judgement = fixture().judge(text);
        return std::ranges::any_of(judgement.sanitizer.findings, [](const model::SanitizerFinding& finding) {
            return kind_name(finding) == "race_in_block";
        });
    };
    CHECK(finds_race(racy));
    std::string clean = racy;
    clean.replace(clean.find("*sum += 1"), 9, "atomicAdd(sum, 1)");
    CHECK_FALSE(finds_race(clean));
}
