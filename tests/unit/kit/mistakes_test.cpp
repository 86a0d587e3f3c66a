#include "kit/mistakes.h"

#include "model/errors.h"

#include <doctest/doctest.h>

namespace {

kit::Package package(std::size_t mistakes) {
    kit::Package package{"twice"};
    package.contract["exercises/twice/contract.h"] = "int twice(int value);\n";
    for (std::size_t i = 0; i < mistakes; ++i) {
        const std::string name = "m" + std::to_string(i);
        package.mistakes.push_back({name, "problems/twice/mistakes/" + name + ".cpp", "// " + name + "\n"});
    }
    return package;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string text_of(const bundle::Written& sources) {
    std::string text;
    for (const auto& [name, each] : sources.files)
        text += each;
    return text;
}

} // namespace

TEST_CASE("mistakes of one base share its text, unless whole copies are asked for") {
    kit::Package three = package(3);
    for (kit::Package::Mistake& mistake : three.mistakes) {
        mistake.base =
            "#include \"contract.h\"\nint exercise::twice(int value) {\n    return 2 * value;\n}\n";
        mistake.program = mistake.base;
        mistake.program.replace(mistake.program.find("2 *"), 1, mistake.name.substr(1) + "7");
    }
    const bundle::Written shared = kit::mistake_sources(three, false);
    const bundle::Written whole = kit::mistake_sources(three, true);
    for (const kit::Package::Mistake& mistake : three.mistakes) {
        CHECK(shared.copied.at(mistake.name) != bundle::Copied::whole);
        CHECK(whole.copied.at(mistake.name) == bundle::Copied::whole);
    }
}

TEST_CASE("a problem without mistakes has a program without any") {
    const bundle::Written sources = kit::mistake_sources(package(0), false);
    REQUIRE(sources.compiled.size() == 1);
    CHECK(holds(sources.files.at(sources.compiled.front()), "table_count = 0"));
}

TEST_CASE("a CUDA mistake is rewritten, and one that the emulator refuses is a content error with its line") {
    kit::Package cuda = package(1);
    cuda.language = model::Language::cuda;
    cuda.mistakes[0].program = "__global__ void f() {}\nvoid g() {\n    f<<<1, 2>>>();\n}\n";
    const std::string rewritten = text_of(kit::mistake_sources(cuda, false));
    CHECK_FALSE(holds(rewritten, "<<<"));
    cuda.mistakes[0].program = "__global__ void f() {}\nvoid g() {\n    f<<<1>>>();\n}\n";
    CHECK_THROWS_WITH_AS(kit::mistake_sources(cuda, false), doctest::Contains("mistakes/m0.cpp: line 3:"),
                         model::ContentError);
}
