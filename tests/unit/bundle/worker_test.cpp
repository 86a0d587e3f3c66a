// What the written source does once it is compiled.
#include "bundle/programs.h"

#include "system/process.h"
#include "unit/folder.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace {

const std::string contract = "#pragma once\n#include <string>\nnamespace contract {}\n"
                             "namespace exercise {\nusing namespace contract;\n"
                             "int answer(int n);\nint line();\n}\n"
                             "#define EXERCISE_INTERFACE(CALL) CALL(answer) CALL(line)\n";

const std::string base = "#include \"contract.h\"\n"
                         "namespace exercise {\n"
                         "namespace {\n"
                         "int double_it(int n) { return 2 * n; }\n"
                         "}\n"
                         "int answer(int n) {\n"
                         "    unsigned start = 1;\n"
                         "    long sum = start;\n"
                         "    for (int i = 0; i < n; ++i)\n"
                         "        sum += double_it(i);\n"
                         "    return static_cast<int>(sum);\n"
                         "}\n"
                         "int line() { return __LINE__; }\n"
                         "}\n";

/// Starts as a worker does, for the first argument, and turns to the others as a driver asks it to. Prints
/// what the functions return under each name.
const std::string worker = R"(
#include "subject/shim/table.h"
#include <cstdio>
#include <string_view>
using namespace subject;
using namespace subject::shim;
int call(const Table& table, std::size_t function) {
    std::byte argument[sizeof(int)], reply[64];
    Writer(argument).put(4);
    Call call{Reader(argument), {}, Writer(reply)};
    table.entries[function](call);
    int result = 0;
    std::memcpy(&result, reply, sizeof result);
    return result;
}
int main(int count, char** values) {
    for (int i = 1; i < count; ++i)
        for (std::size_t t = 0; t < table_count; ++t) {
            const Table& table = *tables[t];
            if (std::string_view(table.name) != values[i]) continue;
            if (i > 1 && table.selector != nullptr) *table.selector = table.number;
            std::printf("%d:%d ", call(table, 0), call(table, 1));
        }
}
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

class Built {
  public:
    Built(const std::vector<bundle::Program>& programs, const bundle::Options& options)
        : written(bundle::write_programs(programs, contract, options)) {
        write("contract.h", contract);
        write("worker.cpp", worker);
        for (const auto& [name, text] : written.files)
            write(name, text);
        std::vector<std::string> arguments{
            "-std=c++20", "-w", "-I",    ENGINE_SOURCE_DIR "/validator", "-I", ENGINE_SOURCE_DIR "/exercises",
            "worker.cpp", "-o", "worker"};
        arguments.insert(arguments.end(), written.compiled.begin(), written.compiled.end());
        const sys::RunOutcome outcome = run(COMPILER, arguments);
        REQUIRE_MESSAGE(outcome.ok(), outcome.output);
    }

    std::string says(const std::vector<std::string>& names) const {
        return run(folder_.path() / "worker", names).output;
    }

    bundle::Written written;

  private:
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_.path() / name) << text;
    }

    sys::RunOutcome run(const fs::path& program, const std::vector<std::string>& arguments) const {
        sys::Command command;
        command.program = program;
        command.arguments = arguments;
        command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"};
        command.directory = folder_.path();
        return sys::run(command, {.wall = std::chrono::seconds(120), .output_bytes = 1 << 16});
    }

    test::Folder folder_;
};

const std::vector<bundle::Program> programs{
    {"one-too-many", with(base, "i < n", "i <= n"), base},
    {"twice-wrong", with(with(base, "i < n", "i < n - 1"), "2 * n", "3 * n"), base},
    // Chosen between a signed and an unsigned value, -1 would become 4294967295.
    {"negative", with(base, "sum = start", "sum = -1"), base},
    {"helper",
     with(with(base, "int answer", "int half(int n) { return n / 2; }\nint answer"), "double_it(i)",
          "half(i)"),
     base},
    {"returns-early", with(base, "    return static", "    if (sum > 9) return 9;\n    return static"), base},
    {"long-argument", with(with(base, "double_it(int n)", "double_it(long n)"), "2 * n", "5 * n"), base},
    {"stranger",
     "#include \"contract.h\"\nnamespace exercise {\nint answer(int) { return 42; }\nint line() { return 0; "
     "}\n}\n",
     ""},
};

const std::string all_say = "21:13 10:13 11:13 3:14 9:14 31:13 42:0 ";
const std::vector<std::string> names{"one-too-many",  "twice-wrong",   "negative", "helper",
                                     "returns-early", "long-argument", "stranger"};

} // namespace

TEST_CASE("each name does what its program does, whether the worker starts with it or turns to it") {
    const Built built(programs, {.own_lines = true, .parts = 2});
    CHECK(built.written.compiled.size() == 2);
    CHECK(built.written.copied.at("twice-wrong") == bundle::Copied::places);
    CHECK(built.written.copied.at("negative") == bundle::Copied::places);
    CHECK(built.written.copied.at("long-argument") == bundle::Copied::whole);
    CHECK(built.says(names) == all_say);
    std::string alone;
    for (const std::string& name : names)
        alone += built.says({name});
    CHECK(alone == all_say);
}

TEST_CASE("a program that shares moved lines does the same, with the base's line numbers") {
    const Built shared(programs, {});
    CHECK(shared.written.copied.at("helper") == bundle::Copied::places);
    CHECK(shared.written.copied.at("returns-early") == bundle::Copied::bodies);
    CHECK(shared.says(names) == "21:13 10:13 11:13 3:13 9:13 31:13 42:0 ");
}
