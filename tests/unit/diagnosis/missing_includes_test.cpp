#include "diagnosis/missing_includes.h"

#include "build/contract_names.h"
#include "build/file.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::vector<model::Diagnostic> found(const std::string& text,
                                     const std::set<std::string>& provided = {"span"}) {
    return diagnosis::missing_includes({.shown_as = "there/a.cpp", .files = {{"a.cpp", text}}}, provided);
}

/// The headers that are missing.
std::vector<std::string> missing(const std::string& text, const std::set<std::string>& provided = {"span"}) {
    std::vector<std::string> messages;
    for (const model::Diagnostic& each : found(text, provided))
        messages.push_back(each.message);
    return messages;
}

using Messages = std::vector<std::string>;

} // namespace

TEST_CASE("a name without its header is a warning at its first use, once a header") {
    const std::string text =
        "#include \"contract.h\"\nvoid f() {\n    std::vector<int> a;\n    std::vector<int> b;\n"
        "    memcpy(a.data(), b.data(), 0);\n    std::ranges::sort(a);\n}\n";
    CHECK(missing(text) ==
          Messages{"<vector> is not included", "<cstring> is not included", "<algorithm> is not included"});
    const model::Diagnostic first = found(text).front();
    CHECK(first.severity == model::Severity::warning);
    CHECK(first.file == "there/a.cpp");
    CHECK(first.line == 3);
    CHECK(first.column == 10);
    CHECK(first.source == "    std::vector<int> a;");
    CHECK(first.explanation ==
          "vector comes from <vector>, which is not included: it happens to compile here "
          "because another header includes it. Add `#include <vector>` at the top of the file.");
}

TEST_CASE("a header that is included, or comes with the contract, or as its C twin, is not missing") {
    CHECK(missing("#include <vector>\nstd::vector<int> a;").empty());
    CHECK(missing("# include <string.h>\nvoid f() { memcpy(0, 0, 0); std::memset(0, 0, 0); }").empty());
    CHECK(missing("std::span<int> a;").empty());
    CHECK(missing("std::span<int> a;", {}) == Messages{"<span> is not included"});
    CHECK(missing("void f() { float a = sqrt(2); memcpy(0, 0, 0); }", {"cuda_runtime.h"}).empty());
    CHECK(missing("#include <iostream>\nstd::string a;").empty());
}

TEST_CASE("what only looks like a name of the standard library is none") {
    CHECK(missing("// std::vector\nconst char* a = \"std::vector\";").empty());
    CHECK(missing("#define A std::vector").empty());
    CHECK(missing("float exp(float x);\nfloat g() { return exp(1); }").empty());
    CHECK(missing("void f(T a) { a.printf(1); a->sqrt(2); mine::sqrt(3); }").empty());
    CHECK(missing("int vector = 1; int sqrt = vector;").empty());
    CHECK(missing("auto a = std::move(b);").empty()); // comes with everything
    CHECK(missing("float g() { return exp(1); }") == Messages{"<cmath> is not included"});
}

TEST_CASE("no text breaks it") {
    for (const char* text :
         {"", "::", "std::", "std", "#include <", "#include <vector", "\"", "/*", "std::vector"})
        found(text);
}

TEST_CASE("references and accepted programs of every problem include what they use") {
    const fs::path source = ENGINE_SOURCE_DIR;
    std::size_t read = 0;
    for (const auto& exercise : fs::directory_iterator(source / "exercises")) {
        const std::string id = exercise.path().filename().string();
        if (!fs::exists(exercise.path() / "contract.h")) continue;
        const auto provided = build::headers_of_contract(exercise.path(), source / "exercises");
        REQUIRE_FALSE(provided.empty());
        for (const fs::path& folder : {source / "reference" / id, source / "problems" / id / "accepted"})
            for (const auto& file : fs::directory_iterator(folder)) {
                const std::string extension = file.path().extension().string();
                if (extension != ".cpp" && extension != ".cu") continue;
                CAPTURE(file.path().string());
                const auto messages = missing(build::read_file(file.path()).value_or(""), provided);
                CHECK(messages == Messages{});
                ++read;
            }
    }
    CHECK(read > 50);
}
