// How the compiler's programs end is seen, and none outlives the engine.
#include "build/stages.h"

#include "model/errors.h"
#include "setup.h"

#include <csignal>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using build::CompilerRun;

build::Layout layout() {
    build::Layout layout;
    layout.canary = fs::path(ENGINE_STAGE).parent_path() / "canary";
    return layout;
}

/// g++ with a program in the place of its own: `-B` is where it looks for cc1plus first.
struct Compiler {
    test::Folder folder;
    build::Toolchain toolchain;

    explicit Compiler(const std::string& script) {
        toolchain.compiler = "/usr/bin/g++";
        toolchain.family = build::Family::gcc;
        test::write(folder.path() / "cc1plus", "#!/bin/sh\n" + script);
        chmod((folder.path() / "cc1plus").c_str(), 0755);
        test::write(folder.path() / "a.cpp", "int a;\n");
    }
    CompilerRun run(std::chrono::seconds wall = std::chrono::seconds(60)) const {
        sys::Command command;
        command.program = toolchain.compiler;
        command.arguments = {"-B", folder.path().string(), "-S", "a.cpp", "-o", "/dev/null"};
        command.environment = build::compiler_environment(folder.path());
        command.directory = folder.path();
        return build::run_compiler(toolchain, layout(), command, {.wall = wall}, -1);
    }
};

int count_lines(const fs::path& file) {
    std::ifstream lines(file);
    int count = 0;
    for (std::string line; std::getline(lines, line);)
        ++count;
    return count;
}

} // namespace

TEST_CASE("each program of a compiler reports its name, its status and what it used") {
    const CompilerRun run = Compiler("exit 3\n").run();
    CHECK_FALSE(run.outcome.ok());
    REQUIRE(run.stages.size() == 1);
    CHECK(std::string(run.stages[0].name) == "cc1plus");
    CHECK(WEXITSTATUS(run.stages[0].status) == 3);
    CHECK(run.stages[0].peak_kib > 0);
    CHECK(Compiler("exit 0\n").run().outcome.ok());
}

TEST_CASE("a compiler that is killed once is run once more, and then all is well") {
    const Compiler compiler("echo >> ran\ntest -e once || { : > once; kill -9 $$; }\n");
    CHECK(compiler.run().outcome.ok());
    CHECK(count_lines(compiler.folder.path() / "ran") == 2);
}

TEST_CASE("a compiler that is killed again and again could not judge, after two runs") {
    const Compiler compiler("echo >> ran\nkill -9 $$\n");
    CHECK_THROWS_AS(compiler.run(), model::EnvironmentError);
    CHECK(count_lines(compiler.folder.path() / "ran") == 2);
}

TEST_CASE("a compiler that crashes, or says that it was killed, is run once") {
    for (const char* script :
         {"echo >> ran\nkill -11 $$\n", "echo >> ran\necho 'g++: Killed signal terminated'; exit 1\n",
          "echo >> ran\necho 'cc1plus: No space left on device'; exit 1\n"}) {
        const Compiler compiler(script);
        CHECK_FALSE(compiler.run().outcome.ok());
        CHECK(count_lines(compiler.folder.path() / "ran") == 1);
    }
}

TEST_CASE("no program of a compiler outlives the engine that is killed") {
    const Compiler compiler("echo $$ > pid\nexec sleep 100\n");
    const pid_t engine = fork();
    if (engine == 0) {
        try {
            compiler.run();
        } catch (...) {
        }
        _exit(0);
    }
    const fs::path file = compiler.folder.path() / "pid";
    for (int i = 0; i < 3000 && count_lines(file) == 0; ++i)
        usleep(10'000);
    pid_t program = 0;
    std::ifstream(file) >> program;
    REQUIRE(program > 0);
    CHECK(kill(program, 0) == 0);
    kill(engine, SIGKILL);
    waitpid(engine, nullptr, 0);
    const auto gone = [&] {
        std::ifstream state("/proc/" + std::to_string(program) + "/stat");
        std::string words;
        std::getline(state, words);
        return words.empty() || words.find(") Z ") != std::string::npos;
    };
    for (int i = 0; i < 1000 && !gone(); ++i)
        usleep(10'000);
    CHECK(gone());
}
