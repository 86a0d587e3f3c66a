#include "build/threads.h"
#include "workshop_fixture.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <sys/eventfd.h>

namespace {

using build::Built;
using build::Variant;
using test::fixture;
using test::Fixture;
using test::mentions;

std::size_t scratch_folders(const build::Workshop& workshop) {
    std::size_t count = 0;
    for (const auto& entry : test::fs::directory_iterator(workshop.cache().folder()))
        count += entry.path().filename().string().starts_with("scratch-");
    return count;
}

} // namespace

TEST_CASE("a right submission becomes a worker that runs, and the same one again comes from the cache") {
    const std::string text = test::right + "// first\n";
    const Built built = fixture().build(text);
    REQUIRE(built.ok);
    CHECK_FALSE(built.cached);
    CHECK(built.diagnostics.empty());
    CHECK(test::run(built.worker.path, {}).output == "42");
    CHECK((fcntl(built.worker.fd.get(), F_GETFL) & O_ACCMODE) == O_RDONLY);
    CHECK(fcntl(built.worker.fd.get(), F_GETFD) == FD_CLOEXEC);

    const Built again = fixture().build(text);
    CHECK(again.ok);
    CHECK(again.cached);
    CHECK(test::run(again.worker.path, {}).output == "42");
    CHECK(scratch_folders(fixture().workshop) == 0);
}

TEST_CASE("a wrong submission builds as well: what it computes is not the builder's business") {
    std::string text = test::right;
    text.replace(text.find("2 *"), 3, "3 *");
    const Built built = fixture().build(text);
    REQUIRE(built.ok);
    CHECK(test::run(built.worker.path, {}).output == "63");
}

TEST_CASE("a program that starts threads is known by what it imports") {
    const auto starts_threads = [](const std::string& more) {
        const Built built = fixture().build(test::right + more);
        REQUIRE(built.ok);
        return build::starts_threads(built.worker);
    };
    CHECK_FALSE(starts_threads("// no threads\n"));
    CHECK_FALSE(starts_threads("#include <mutex>\n#include <atomic>\nstd::mutex m;\nstd::atomic<int> n;\n"
                               "void g() { std::lock_guard lock(m); ++n; }\n"));
    CHECK_FALSE(starts_threads("const char* word() { return \"call pthread_create for threads\"; }\n"));
    CHECK(starts_threads("#include <thread>\nvoid g() { std::thread([] {}).join(); }\n"));
    CHECK(starts_threads("#include <future>\nint g() { return std::async([] { return 1; }).get(); }\n"));
    CHECK(starts_threads(
        "#include <pthread.h>\nvoid* f2(void* p) { return p; }\n"
        "void g() { pthread_t t; pthread_create(&t, nullptr, f2, nullptr); pthread_join(t, nullptr); }\n"));
}

TEST_CASE("of both variants only the sanitized one stops at an overflow") {
    std::string text = test::right;
    text.replace(text.find("2 *"), 3, "2147483647 *");
    const Built optimised = fixture().build(text);
    REQUIRE(optimised.ok);
    CHECK(test::run(optimised.worker.path, {}).ok());
    if (!fixture().workshop.toolchain().sanitizers) {
        MESSAGE("skipped: the toolchain has no sanitizers");
        return;
    }
    const Built sanitized = fixture().build(text, Variant::sanitized);
    REQUIRE(sanitized.ok);
    const auto outcome = test::run(sanitized.worker.path, {});
    CHECK_FALSE(outcome.ok());
    CHECK(outcome.output.find("twice.cpp:4") != std::string::npos);
    CHECK(outcome.output.find("scratch-") == std::string::npos);
}

TEST_CASE("a warning of a build is said again when the build comes from the cache") {
    const std::string text =
        "#include \"contract.h\"\nnamespace exercise {\nstatic int unfinished(int a) { if (a) return 1; }\n"
        "void twice(std::span<const int>, Matrix<int>) { unfinished(1); }\n}\n";
    const Built first = fixture().build(text);
    const Built second = fixture().build(text);
    REQUIRE(second.cached);
    REQUIRE(first.diagnostics.size() == 1);
    REQUIRE(second.diagnostics.size() == 1);
    CHECK(second.diagnostics[0].severity == model::Severity::warning);
    CHECK(second.diagnostics[0].line == 3);
    CHECK(second.diagnostics[0].message == first.diagnostics[0].message);
}

TEST_CASE("an error is told with the learner's file, line and column, and nothing of ours") {
    const Built built =
        fixture().build("#include \"contract.h\"\nnamespace exercise {\n"
                        "void twice(std::span<const int>, Matrix<int>) {\n    return vaule;\n}\n}\n");
    CHECK_FALSE(built.ok);
    REQUIRE_FALSE(built.diagnostics.empty());
    CHECK(built.diagnostics[0].file == "twice.cpp");
    CHECK(built.diagnostics[0].line == 4);
    CHECK(built.diagnostics[0].column == 12);
    CHECK_FALSE(mentions(built, fixture().setup.root().string()));
    CHECK(scratch_folders(fixture().workshop) == 0);
}

TEST_CASE("an error inside a library header is told at the learner's line that led there") {
    const Built built =
        fixture().build("#include \"contract.h\"\n#include <algorithm>\n#include <vector>\nstruct Thing {};\n"
                        "namespace exercise {\nvoid twice(std::span<const int>, Matrix<int>) {\n"
                        "    std::vector<Thing> all;\n    std::sort(all.begin(), all.end());\n}\n}\n");
    CHECK_FALSE(built.ok);
    REQUIRE_FALSE(built.diagnostics.empty());
    CHECK(built.diagnostics[0].file == "twice.cpp");
    CHECK(built.diagnostics[0].line == 8);
    CHECK_FALSE(mentions(built, "/usr/"));
}

TEST_CASE(
    "a function that is missing is an undefined reference, and what the file defines instead is listed") {
    const Built built = fixture().build("#include \"contract.h\"\nnamespace exercise {\n"
                                        "void twice(std::span<const int>, Matrix<float>) {}\n}\n");
    CHECK_FALSE(built.ok);
    REQUIRE(built.diagnostics.size() == 1);
    CHECK(built.diagnostics[0].message.starts_with(
        "undefined reference to 'exercise::twice(std::span<int const"));
    REQUIRE(built.defined.size() == 1);
    CHECK(built.defined[0].find("contract::Matrix<float>)") != std::string::npos);
}

TEST_CASE("a main of the learner's own is a multiple definition") {
    const Built built = fixture().build(test::right + "int main() { return 0; }\n");
    CHECK_FALSE(built.ok);
    CHECK(mentions(built, "multiple definition of 'main'"));
}

TEST_CASE("sources that cannot be compiled at all say so in one sentence and start no compiler") {
    const auto only = [](const Built& built) {
        CHECK_FALSE(built.ok);
        CHECK(built.compile.count() == 0);
        REQUIRE(built.diagnostics.size() == 1);
        return built.diagnostics[0].explanation;
    };
    CHECK(only(fixture().build(" \n")).find("is empty") != std::string::npos);
    CHECK(only(fixture().build("int a;\n\xff")).find("byte offset 7") != std::string::npos);
    const Built missing = build_worker(fixture().workshop, fixture().setup.problem, fixture().setup.table(),
                                       {"x", {}}, Variant::optimised);
    CHECK(only(missing).find("is missing") != std::string::npos);
}

TEST_CASE("a compile that never ends, grows or floods is stopped and says which limit it hit") {
    const std::string head = "#include \"contract.h\"\n";
    SUBCASE("memory") {
        std::string macros = "#define M0 1,1,1,1,1,1,1,1,1,1\n";
        for (int i = 1; i < 10; ++i) {
            const std::string last = "M" + std::to_string(i - 1);
            macros += "#define M" + std::to_string(i);
            for (int k = 0; k < 10; ++k)
                macros += (k == 0 ? " " : ",") + last;
            macros += "\n";
        }
        const Built built = fixture().build(head + macros + "int all[] = {M9};\n");
        CHECK_FALSE(built.ok);
        CHECK(mentions(built, "2 GiB of memory"));
    }
    SUBCASE("file size") {
        const Built built = fixture().build(head + "int big[1 << 30] = {1};\n" + test::right);
        CHECK_FALSE(built.ok);
        CHECK(mentions(built, "64 MiB"));
    }
    SUBCASE("constexpr") {
        const Built built =
            fixture().build(head + "constexpr int f() { for (;;) {} }\nconstexpr int x = f();\n");
        CHECK_FALSE(built.ok);
        CHECK_FALSE(built.diagnostics.empty());
    }
    CHECK(scratch_folders(fixture().workshop) == 0);
}

TEST_CASE("a submission cannot read files that are not its business, while its contract is readable") {
    const auto secret = fixture().setup.root() / "reference/twice.cpp";
    test::write(secret, "int secret_value = 1;\n");
    const Built by_include = fixture().build("#include \"" + secret.string() + "\"\n" + test::right);
    CHECK_FALSE(by_include.ok);
    CHECK_FALSE(mentions(by_include, "secret_value"));
    const Built by_assembler =
        fixture().build(test::right + "asm(\".incbin \\\"" + secret.string() + "\\\"\");\n");
    CHECK_FALSE(by_assembler.ok);
    const Built oracle = fixture().build("#if __has_include(\"" + secret.string() + "\")\n#include \"" +
                                         secret.string() + "\"\n#endif\n" + test::right);
    CHECK_FALSE(mentions(oracle, "secret_value"));
}

TEST_CASE("directives that forge places or options are only text") {
    const Built forged =
        fixture().build("#include \"contract.h\"\n#line 70000 \"twice.cpp\"\n#error forged\n");
    REQUIRE_FALSE(forged.diagnostics.empty());
    CHECK(forged.diagnostics[0].line == 0);
    const Built elsewhere =
        fixture().build("#include \"contract.h\"\n#line 3 \"/etc/passwd\"\n#error forged\n");
    REQUIRE_FALSE(elsewhere.diagnostics.empty());
    CHECK_FALSE(mentions(elsewhere, "/etc/"));
    CHECK(fixture().build("#pragma GCC plugin \"/tmp/evil.so\"\n" + test::right).ok);
}

TEST_CASE("an interrupted build says so and leaves nothing behind") {
    const int cancel = eventfd(1, EFD_CLOEXEC);
    const Built built = fixture().build(test::right + "// interrupted\n", Variant::optimised, cancel);
    close(cancel);
    CHECK(built.interrupted);
    CHECK_FALSE(built.ok);
    CHECK(scratch_folders(fixture().workshop) == 0);
}

TEST_CASE("a damaged cache entry is built again") {
    const std::string text = test::right + "// damaged\n";
    const auto path = fixture().build(text).worker.path;
    test::fs::permissions(path, test::fs::perms::owner_all);
    test::fs::resize_file(path, test::fs::file_size(path) / 2);
    const Built built = fixture().build(text);
    REQUIRE(built.ok);
    CHECK_FALSE(built.cached);
    CHECK(test::run(built.worker.path, {}).output == "42");
}

TEST_CASE("a truncated precompiled header is made again") {
    Fixture& shared = fixture();
    shared.build(test::right + "// before\n");
    for (const auto& entry : test::fs::recursive_directory_iterator(shared.workshop.cache().folder()))
        if (entry.path().extension() == ".gch" || entry.path().extension() == ".pch")
            test::fs::resize_file(entry.path(), 1000);
    shared.progress.clear();
    const Built built = shared.build(test::right + "// after\n");
    CHECK(built.ok);
    CHECK(shared.progress.size() == 1);
}

TEST_CASE("two trees that are seen under one path have precompiled headers each") {
    test::Setup setup;
    setup.layout.headers = setup.root() / "tree";
    test::fs::create_directory(setup.layout.headers);
    const build::Workshop workshop(setup.layout, {}, setup.cache());
    const auto ready = [&] { return workshop.preludes().ready(build::Prelude::light, Variant::optimised); };
    const auto first = ready();
    REQUIRE_FALSE(first.empty());
    CHECK(ready() == first);
    test::fs::rename(setup.layout.headers, setup.root() / "other tree");
    test::fs::create_directory(setup.layout.headers);
    CHECK(ready() != first);
}

TEST_CASE("a changed contract, shim or flag set is another key: the cache is not asked for the old program") {
    Fixture& shared = fixture();
    const std::string text = test::right + "// keys\n";
    REQUIRE(shared.build(text).ok);
    const auto contract = shared.setup.problem.exercise / "contract.h";
    const std::string before = *build::read_file(contract);
    test::write(contract, before + "// changed\n");
    CHECK_FALSE(shared.build(text).cached);
    test::write(contract, before);
    CHECK(shared.build(text).cached);
    if (shared.workshop.toolchain().sanitizers) CHECK_FALSE(shared.build(text, Variant::sanitized).cached);
}

TEST_CASE("clang++ builds the same submission, with its own precompiled header") {
    if (!test::fs::exists("/usr/bin/clang++")) {
        MESSAGE("skipped: no clang++");
        return;
    }
    const test::Setup setup("/usr/bin/clang++");
    std::vector<std::string> progress;
    const build::Workshop workshop(
        setup.layout, {[&](std::string_view text) { progress.emplace_back(text); }, {}}, setup.cache());
    setup.make_objects(workshop.toolchain());
    CHECK(workshop.toolchain().name().starts_with("clang++ "));
    const Built built = build_worker(workshop, setup.problem, setup.table(), test::submission(test::right),
                                     Variant::optimised);
    REQUIRE(built.ok);
    CHECK(test::run(built.worker.path, {}).output == "42");
    REQUIRE(progress.size() == 2);
    CHECK(build_worker(workshop, setup.problem, setup.table(), test::submission(test::right + "//\n"),
                       Variant::optimised)
              .ok);
    CHECK(progress.size() == 2); // neither tried out nor precompiled again
}
