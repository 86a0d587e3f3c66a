#include "structure/architecture.h"
#include "structure/scan.h"

#include "system/process.h"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <future>
#include <stdexcept>

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

namespace {

const fs::path source_tree = ENGINE_SOURCE_DIR;

std::string print(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += "\n  " + line;
    return text;
}

/// A small source tree of its own, to see that each breach is found.
struct Copy {
    fs::path root;

    Copy() {
        std::string name = (fs::temp_directory_path() / "engine-structure-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        root = name;
        fs::copy_file(source_tree / "ARCHITECTURE.md", root / "ARCHITECTURE.md");
        write("validator/model/verdict.h", "#pragma once\n#include <string>\n");
        write("validator/report/json.cpp",
              "#include \"report/json.h\"\n#include \"model/verdict.h\"\n#include <nlohmann/json.hpp>\n");
        write("validator/report/json.h", "#pragma once\n");
        write("problems/one/suite.cpp", "#include \"harness/suite.h\"\n#include \"subject/proxies.h\"\n");
        write("exercises/common/ids.h", "#pragma once\n");
    }
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;
    ~Copy() { fs::remove_all(root); }

    void write(const fs::path& file, const std::string& text) {
        fs::create_directories((root / file).parent_path());
        std::ofstream(root / file) << text;
    }
};

bool compiles_alone(const fs::path& header) {
    sys::Command command;
    command.program = COMPILER;
    command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"};
    command.arguments = {"-std=c++20",
                         "-fsyntax-only",
                         "-w",
                         "-x",
                         "c++",
                         "-I",
                         (source_tree / "validator").string(),
                         "-I",
                         (source_tree / "exercises").string(),
                         "-I",
                         source_tree.string(),
                         "-I",
                         (source_tree / "app").string(),
                         "-I",
                         (source_tree / "tests/unit/subject/fixture").string(),
                         header.string()};
    const sys::RunOutcome outcome = sys::run(command, {std::chrono::seconds(120), 1 << 16});
    if (!outcome.ok()) MESSAGE(outcome.output);
    return outcome.ok();
}

} // namespace

TEST_CASE("includes run one way") {
    const Lines found = structure::forbidden_includes(source_tree);
    CHECK_MESSAGE(found.empty(), print(found));
}

TEST_CASE("libraries stay where they belong") {
    const Lines found = structure::forbidden_libraries(source_tree);
    CHECK_MESSAGE(found.empty(), print(found));
}

TEST_CASE("nobody makes a process but validator/system") {
    const Lines found = structure::forbidden_processes(source_tree);
    CHECK_MESSAGE(found.empty(), print(found));
}

TEST_CASE("long files have a reason, and no reason outlives its file") {
    const Lines found = structure::overlong_files(source_tree);
    CHECK_MESSAGE(found.empty(), print(found));
    const Lines stale = structure::stale_exceptions(source_tree);
    CHECK_MESSAGE(stale.empty(), print(stale));
}

TEST_CASE("the headers that suites see lie in folders that kits are made with") {
    const Lines found = structure::unlisted_header_folders(source_tree);
    CHECK_MESSAGE(found.empty(), print(found));
}

TEST_CASE("each header compiles alone") {
    // Most are the first include of their source, so building them has shown it already.
    const std::vector<fs::path> headers = structure::unproved_headers(source_tree);
    CHECK(headers.size() > 10);
    CHECK(headers.size() < 120);
    const auto check = [&](std::size_t from) {
        Lines failed;
        for (std::size_t i = from; i < headers.size(); i += 2)
            if (!compiles_alone(source_tree / headers[i])) failed.push_back(headers[i].string());
        return failed;
    };
    auto other = std::async(std::launch::async, check, 1);
    const Lines failed = check(0);
    CHECK_MESSAGE(failed.empty(), print(failed));
    const Lines failed_too = other.get();
    CHECK_MESSAGE(failed_too.empty(), print(failed_too));
}

TEST_CASE_FIXTURE(Copy, "a tree in order has no findings") {
    CHECK(structure::forbidden_includes(root).empty());
    CHECK(structure::forbidden_libraries(root).empty());
    CHECK(structure::forbidden_processes(root).empty());
    CHECK(structure::overlong_files(root).empty());
}

TEST_CASE_FIXTURE(Copy, "an include against the current is found") {
    write("validator/model/verdict.h", "#pragma once\n  #  include \"system/process.h\"\n");
    CHECK(structure::forbidden_includes(root) ==
          Lines{"validator/model/verdict.h must not include \"system/process.h\""});
}

TEST_CASE_FIXTURE(Copy, "report sees nothing but model, and a suite nothing of the engine's") {
    write("validator/report/json.h", "#include \"store/store.h\"\n");
    write("problems/one/suite.cpp", "#include \"model/problem.h\"\n");
    const Lines found = structure::forbidden_includes(root);
    REQUIRE(found.size() == 2);
    CHECK(found[0] == "validator/report/json.h must not include \"store/store.h\"");
    CHECK(found[1] == "problems/one/suite.cpp must not include \"model/problem.h\"");
}

TEST_CASE_FIXTURE(
    Copy, "the engine never includes a suite, nor a problem's contract where it is none of its business") {
    write("app/main.cpp", "#include \"problems/one/suite.cpp\"\n#include \"contract.h\"\n");
    CHECK(structure::forbidden_includes(root).size() == 2);
    write("app/main.cpp", "#include \"judge.h\"\n");
    CHECK(structure::forbidden_includes(root).empty());
}

TEST_CASE_FIXTURE(Copy, "a problem may include what lies beside its own contract") {
    write("exercises/one/text.h", "#pragma once\n");
    write("problems/one/demos/show.cpp", "#include \"text.h\"\n");
    CHECK(structure::forbidden_includes(root).empty());
    write("problems/two/suite.cpp", "#include \"text.h\"\n");
    CHECK(structure::forbidden_includes(root) == Lines{"problems/two/suite.cpp must not include \"text.h\""});
}

TEST_CASE_FIXTURE(Copy, "a folder without a rule is found") {
    write("validator/novelty/thing.h", "#include \"model/verdict.h\"\n#include \"novelty/other.h\"\n");
    CHECK_FALSE(structure::forbidden_includes(root).empty());
}

TEST_CASE_FIXTURE(Copy, "the rules are those of the table in ARCHITECTURE.md") {
    write("ARCHITECTURE.md", "# Architecture\n\n| folder | what it holds | may include |\n|---|---|---|\n"
                             "| `app/` | commands | judge.h, model |\n"
                             "| `validator/judge.cpp` | stages; `more` | model |\n"
                             "| `validator/model/` | values | |\n"
                             "| `problems/<id>/` | suites | harness, subject |\n"
                             "\n| part | library | why |\n|---|---|---|\n| `a/` | b | model |\n");
    const auto rules = structure::read_include_rules(root);
    REQUIRE(rules.size() == 4);
    CHECK(rules[0].folder == "app");
    CHECK(rules[0].may_include == Lines{"judge.h", "model"});
    CHECK(rules[1].folder == "validator");
    CHECK(rules[1].alone);
    CHECK(rules[2].may_include.empty());
    CHECK(rules[3].folder == "problems");
    CHECK_FALSE(rules[3].alone);
    // report has no row here, and the row of judge.cpp is for that folder's own files.
    Lines found = structure::forbidden_includes(root);
    std::ranges::sort(found);
    CHECK(found == Lines{"exercises/common/ids.h lies in a folder without a rule",
                         "validator/report/json.cpp lies in a folder without a rule",
                         "validator/report/json.h lies in a folder without a rule"});
    write("ARCHITECTURE.md", "# Architecture\n");
    CHECK_THROWS_AS(structure::read_include_rules(root), std::runtime_error);
}

TEST_CASE_FIXTURE(Copy, "a library in the wrong folder is found") {
    write("validator/model/verdict.h", "#include <nlohmann/json.hpp>\n");
    CHECK(structure::forbidden_libraries(root) ==
          Lines{"validator/model/verdict.h must not include <nlohmann/json.hpp>"});
}

TEST_CASE_FIXTURE(Copy, "a process made outside validator/system is found, in words of a comment not") {
    write("validator/report/json.h",
          "// after fork() only system calls are safe\nvoid operating_system();\n");
    CHECK(structure::forbidden_processes(root).empty());
    write("validator/system/child.cpp", "int f() { return fork(); }\n");
    CHECK(structure::forbidden_processes(root).empty());
    for (const char* call : {"fork()", "::fork()", "vfork ()", "std::system(\"ls\")", "popen(\"ls\", \"r\")",
                             "posix_spawn(0)", "syscall(SYS_clone3, 0, 0)"}) {
        write("validator/report/json.h", std::string("int f() { return ") + call + "; }\n");
        CHECK_MESSAGE(
            structure::forbidden_processes(root) == Lines{"validator/report/json.h makes a process"}, call);
    }
}

TEST_CASE_FIXTURE(Copy, "a file of 301 lines is found, one of 300 is not") {
    write("validator/report/json.h", std::string(300, '\n'));
    CHECK(structure::overlong_files(root).empty());
    write("validator/report/json.h", std::string(301, '\n'));
    CHECK(structure::overlong_files(root) == Lines{"validator/report/json.h has 301 lines"});
    write("problems/first-row/witnesses/reads-ahead.cpp", std::string(301, '\n')); // is kept as handed in
    CHECK(structure::overlong_files(root) == Lines{"validator/report/json.h has 301 lines"});
}

TEST_CASE_FIXTURE(Copy, "a file of a suite may have 600 lines") {
    write("problems/one/suite.cpp", std::string(600, '\n'));
    write("problems/two/suite/gradients.cpp", std::string(601, '\n'));
    CHECK(structure::overlong_files(root) == Lines{"problems/two/suite/gradients.cpp has 601 lines"});
}

TEST_CASE_FIXTURE(Copy, "a folder that a suite's headers come from, and kits are made without, is found") {
    write("validator/kit/header_folders.inc", "// folders\n\"harness\",\n\"model\",\n");
    write("validator/harness/suite.h", "#include \"events/finding.h\"\n#include <string>\n");
    write("validator/events/finding.h", "#include \"model/verdict.h\"\n#include \"harness/suite.h\"\n");
    CHECK(structure::unlisted_header_folders(root) == Lines{"events"});
    write("validator/kit/header_folders.inc", "// folders\n\"events\",\n\"harness\",\n\"model\",\n");
    CHECK(structure::unlisted_header_folders(root).empty());
}

TEST_CASE_FIXTURE(Copy, "a header that is no source's first include, and does not compile, is found") {
    CHECK(structure::unproved_headers(root) ==
          std::vector<fs::path>{"validator/model/verdict.h", "exercises/common/ids.h"});
    CHECK(compiles_alone(root / "validator/model/verdict.h"));
    write("validator/model/verdict.h", "#pragma once\nstd::string name();\n");
    sys::Command command; // quietly: the compiler's words are no news here
    command.program = COMPILER;
    command.environment = {"PATH=/usr/bin:/bin"};
    command.arguments = {"-std=c++20", "-fsyntax-only", "-x", "c++",
                         (root / "validator/model/verdict.h").string()};
    CHECK_FALSE(sys::run(command, {std::chrono::seconds(60), 1 << 16}).ok());
}
