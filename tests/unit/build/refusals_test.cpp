// What a submission may not say, whatever else is right about it, and what is left out of it.
#include "workshop_fixture.h"

using build::Built;
using build::Variant;
using test::fixture;
using test::mentions;

TEST_CASE("what would switch the checks off is refused with its file and line, however it is spelt") {
    struct Row {
        const char* text;
        const char* message;
    };
    for (const Row& row :
         {Row{"__attribute__((no_sanitize(\"address\"))) int f();\n", "poisoned"},
          Row{"[[gnu::no_sanitize_undefined]] int f();\n", "poisoned"},
          Row{"#define P(a, b) a##b\n[[gnu::P(no_sani, tize_thread)]] int f();\n", "poisoned"},
          Row{"#pragma push_macro(\"__no_sanitize__\")\n#define __no_sanitize__ x\n", "poisoned"},
          Row{"__attribute__((naked)) void f();\n", "naked"},
          Row{"# 3 \"/usr/include/x.h\" 1 3\n__attribute__((hot)) int f();\n", "line marker"},
          Row{"extern \"C\" void __asan_init(); auto* p = &__asan_init;\n", "__asan_init"},
          Row{"extern \"C\" void* memcpy(void* a, const void*, std::size_t) { return a; }\n",
              "belongs to the C library"},
          Row{"extern \"C\" [[gnu::weak]] void* malloc(std::size_t) noexcept { return nullptr; }\n",
              "belongs to the C library"}})
        for (const Variant variant : {Variant::optimised, Variant::sanitized}) {
            if (variant == Variant::sanitized && std::string(row.message) == "__asan_init") continue;
            if (variant == Variant::sanitized && !fixture().workshop.toolchain().sanitizers) continue;
            CAPTURE(row.text);
            const Built built = fixture().build(test::right + row.text, variant);
            CHECK_FALSE(built.ok);
            CHECK(mentions(built, row.message));
            REQUIRE_FALSE(built.diagnostics.empty());
            if (std::string(row.message) != "__asan_init") CHECK(built.diagnostics[0].line > 6);
        }
}

TEST_CASE("a submission is not told which build it is in") {
    const std::string asks =
        "#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__\n#error told\n#endif\n"
        "#ifdef __has_feature\n#if __has_feature(address_sanitizer)\n#error told\n#endif\n#endif\n";
    CHECK(fixture().build(test::right + asks).ok);
    if (fixture().workshop.toolchain().sanitizers)
        CHECK(fixture().build(test::right + asks, Variant::sanitized).ok);
}

TEST_CASE("options of a source's own are ignored with a note, and the program is the same") {
    const Built built = fixture().build("#pragma GCC optimize(\"O0\")\n" + test::right +
                                        "[[gnu::target(\"avx512f\")]] int more(int a) { return a; }\n");
    REQUIRE(built.ok);
    CHECK(test::run(built.worker.path, {}).output == "42");
    REQUIRE(built.diagnostics.size() == 2);
    CHECK(built.diagnostics[0].severity == model::Severity::note);
    CHECK(built.diagnostics[0].message == "#pragma GCC optimize is ignored");
    CHECK(built.diagnostics[0].line == 1);
    CHECK(built.diagnostics[1].message == "attribute 'target' is ignored");
}

TEST_CASE("an operator new of one's own, templates and words that only look like options are legal") {
    for (const char* text :
         {"#include <cstdlib>\nvoid* operator new(std::size_t n) { return std::malloc(n); }\n"
          "void operator delete(void* p) noexcept { std::free(p); }\n"
          "void operator delete(void* p, std::size_t) noexcept { std::free(p); }\n",
          "#include <vector>\ntemplate class std::vector<float>;\n",
          "namespace { int target = 0; int optimize(int naked) { return naked + target; } }\n"
          "int use() { return optimize(1); }\n",
          "#include <immintrin.h>\n#include <math.h>\n#include <regex>\n"}) {
        CAPTURE(text);
        const Built built = fixture().build(test::right + text);
        CHECK(built.ok);
        if (fixture().workshop.toolchain().sanitizers)
            CHECK(fixture().build(test::right + text, Variant::sanitized).ok);
    }
}
