#include "isolation/compiler.h"

#include "isolation/landlock.h"
#include "isolation/worker_root.h"
#include "system/process.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

/// A folder in which a learner's file is compiled, and beside it what it must not see.
class Bench {
  public:
    Bench() {
        std::string name = (fs::temp_directory_path() / "engine-compiler-XXXXXX").string();
        folder = mkdtemp(name.data());
        fs::create_directories(folder / "scratch");
        fs::create_directories(folder / "allowed");
        access.compilers = {COMPILER};
        access.read = {folder / "allowed"};
        access.write = {folder / "scratch"};
    }
    ~Bench() { fs::remove_all(folder); }

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name) << text;
    }

    sys::RunOutcome compile(const std::string& source,
                            sys::RunLimits limits = {std::chrono::seconds(60)}) const {
        write("scratch/main.cpp", source);
        sys::Command command;
        command.program = COMPILER;
        command.arguments = {"-std=c++20", "-c", "main.cpp", "-o", "main.o"};
        command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
        command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + (folder / "scratch").string()};
        command.directory = folder / "scratch";
        command.confinement = isolation::confine_compiler(access);
        return sys::run(command, limits);
    }

    std::string include(const std::string& name) const {
        return "#include \"" + (folder / name).string() + "\"\n";
    }

    fs::path folder;
    isolation::CompilerAccess access;
    std::vector<std::string> arguments; ///< beside the usual ones
};

bool without_landlock() {
    if (isolation::landlock_abi() > 0) return false;
    MESSAGE("skipped: no Landlock in this kernel");
    return true;
}

} // namespace

TEST_CASE("an honest file with standard headers compiles") {
    const Bench bench;
    const auto outcome =
        bench.compile("#include <vector>\nint main() { return std::vector<int>().size(); }\n");
    CHECK_MESSAGE(outcome.ok(), outcome.output);
    CHECK(fs::exists(bench.folder / "scratch/main.o"));
}

TEST_CASE("what is listed can be included, what is not listed cannot, nor can the host's files") {
    if (without_landlock()) return;
    const Bench bench;
    bench.write("allowed/public.h", "int open_to_all;\n");
    bench.write("elsewhere/secret.h", "int expected = 42;\n");
    CHECK(bench.compile(bench.include("allowed/public.h")).ok());
    const auto refused = bench.compile(bench.include("elsewhere/secret.h"));
    CHECK_FALSE(refused.ok());
    CHECK(refused.output.find("expected") == std::string::npos);
    CHECK_FALSE(bench.compile("#include \"/etc/passwd\"\n").ok());
    CHECK_FALSE(bench.compile("asm(\".incbin \\\"/etc/passwd\\\"\");\n").ok());
    CHECK_FALSE(bench.compile("#include \"/proc/self/environ\"\n").ok());
    CHECK_FALSE(
        bench.compile("#if !__has_include(\"/etc/passwd\")\n#error no\n#endif\n#include \"/etc/hostname\"\n")
            .ok());
}

TEST_CASE("an engine installed among the toolchain's folders stays hidden, its neighbours do not") {
    if (without_landlock()) return;
    Bench bench;
    // So prefix/lib and prefix/include are its own.
    bench.access.compilers = {bench.folder / "prefix/bin/g++"};
    bench.write("prefix/lib/engine/problems/suite.h", "int expected = 42;\n");
    bench.write("prefix/lib/engine/plain.h", "int plain;\n");
    bench.write("prefix/include/library.h", "int library;\n");
    bench.write("prefix/share/other.h", "int other;\n");
    const std::string suite = bench.include("prefix/lib/engine/problems/suite.h");
    CHECK(bench.compile(suite).ok()); // the attack works where nothing is hidden
    bench.access.hidden = {bench.folder / "prefix/lib/engine/problems", "/nonexistent/problems"};
    CHECK_FALSE(bench.compile(suite).ok());
    CHECK_FALSE(bench
                    .compile("asm(\".incbin \\\"" +
                             (bench.folder / "prefix/lib/engine/problems/suite.h").string() + "\\\"\");\n")
                    .ok());
    CHECK(bench.compile(bench.include("prefix/lib/engine/plain.h")).ok());
    CHECK(bench.compile(bench.include("prefix/include/library.h")).ok());
    CHECK_FALSE(bench.compile(bench.include("prefix/share/other.h")).ok());
    bench.access.read.push_back(bench.folder / "prefix/lib/engine/problems");
    CHECK(bench.compile(suite).ok()); // what is listed has the last word
}

TEST_CASE("where one compiler starts another, the folders of both are there, and no others") {
    if (without_landlock()) return;
    Bench bench;
    for (const char* prefix : {"first", "second", "third"})
        bench.write(std::string(prefix) + "/include/named.h", "int named;\n");
    bench.access.compilers = {bench.folder / "first/bin/nvcc", bench.folder / "second/bin/g++"};
    CHECK(bench.compile(bench.include("first/include/named.h")).ok());
    CHECK(bench.compile(bench.include("second/include/named.h")).ok());
    CHECK_FALSE(bench.compile(bench.include("third/include/named.h")).ok());
}

TEST_CASE("a link into what is hidden is not followed") {
    if (without_landlock()) return;
    Bench bench;
    bench.access.compilers = {bench.folder / "prefix/bin/g++"};
    bench.write("prefix/share/secret.h", "int expected = 42;\n");
    bench.write("prefix/lib/engine/hidden.h", "int hidden;\n");
    fs::create_symlink(bench.folder / "prefix/share/secret.h", bench.folder / "prefix/lib/link.h");
    bench.access.hidden = {bench.folder / "prefix/lib/engine"};
    CHECK_FALSE(bench.compile(bench.include("prefix/lib/link.h")).ok());
}

TEST_CASE("a file may be named through a link of the toolchain's, as CUDA's libraries are") {
    Bench bench;
    bench.write("toolkit/bin/compiler", "");
    bench.write("toolkit/targets/lib/named.h", "int named;\n");
    fs::create_directory_symlink("targets/lib", bench.folder / "toolkit/lib64");
    bench.access.compilers = {bench.folder / "toolkit/bin/compiler"};
    bench.access.read.push_back(bench.folder / "toolkit/lib64/named.h");
    const auto outcome = bench.compile(bench.include("toolkit/lib64/named.h"));
    CHECK_MESSAGE(outcome.ok(), outcome.output);
}

TEST_CASE("a source cannot ask whether a file of the host is there") {
    if (without_landlock()) return;
    Bench bench;
    bench.write("hidden/secret.h", "the secret");
    const auto asks = [&](const std::string& name) {
        return bench
            .compile("#if __has_include(\"" + (bench.folder / name).string() +
                     "\")\n#error it is there\n#else\n#error it is not\n#endif\n")
            .output;
    };
    CHECK(asks("hidden/nothing.h").find("it is not") != std::string::npos);
    bench.write("allowed/there.h", "");
    CHECK(asks("allowed/there.h").find("it is there") != std::string::npos); // the control
    if (!isolation::namespace_obstacle(false).empty()) {
        MESSAGE("skipped: " << isolation::namespace_obstacle(false));
        return;
    }
    CHECK(asks("hidden/secret.h").find("it is not") != std::string::npos);
    setenv("ENGINE_ISOLATION_CEILING", "C", 1); // without namespaces the answer is another error
    CHECK(asks("hidden/secret.h").find("it is not") == std::string::npos);
    unsetenv("ENGINE_ISOLATION_CEILING");
}

TEST_CASE("a compiler has no privilege, and only the system calls that compiling takes") {
    const Bench bench;
    using Confine = decltype(&isolation::confine_compiler);
    const auto probe = [&](Confine confine) {
        sys::Command command;
        command.program = PROBE;
        isolation::CompilerAccess access = bench.access;
        access.execute.emplace_back(PROBE);
        if (confine != nullptr) command.confinement = confine(access);
        return "\n" + sys::run(command, {std::chrono::seconds(10), 4096}).output;
    };
    const std::string outside = probe(nullptr);
    const std::string inside = probe(isolation::confine_compiler);
    const std::string refused = std::to_string(EPERM);
    for (const char* act : {"socket", "unshare", "memfd", "ptrace", "personality", "keyctl", "io_uring",
                            "chroot", "sethostname", "a_call_of_tomorrow", "set_clock"}) {
        CAPTURE(act);
        CHECK(inside.find(std::string("\n") + act + ": " + refused + "\n") != std::string::npos);
    }
    CHECK_MESSAGE(inside.find("\ncapabilities: none\n") != std::string::npos, inside);
    CHECK(inside.find("\nfork: 0\n") != std::string::npos);
    for (const char* act : {"socket", "memfd", "ptrace", "personality"}) { // the control: not refused
        CAPTURE(act);
        CHECK(outside.find(std::string("\n") + act + ": " + refused + "\n") == std::string::npos);
    }
    CHECK(outside.find("\nfork: 0\n") != std::string::npos);
    if (geteuid() == 0) CHECK(outside.find("\ncapabilities: some\n") != std::string::npos);

    const std::string debugging = probe(isolation::confine_debugger);
    for (const char* act : {"socket", "unshare", "memfd", "keyctl", "io_uring", "chroot", "sethostname",
                            "a_call_of_tomorrow", "set_clock"}) {
        CAPTURE(act);
        CHECK(debugging.find(std::string("\n") + act + ": " + refused + "\n") != std::string::npos);
    }
    CHECK(debugging.find("\nptrace: " + refused + "\n") == std::string::npos); // it may trace its own
    CHECK_MESSAGE(debugging.find("\ncapabilities: none\n") != std::string::npos, debugging);
}

TEST_CASE("an endless constexpr is ended by its CPU time") {
    Bench bench;
    bench.arguments = {"-fconstexpr-loop-limit=2147483647", "-fconstexpr-ops-limit=9223372036854775807"};
    bench.access.limits.cpu = std::chrono::seconds(1);
    const auto outcome =
        bench.compile("constexpr int f() { for (unsigned long i = 1; i != 0; ++i) {} return 1; }\n"
                      "static_assert(f());\n");
    CHECK_FALSE(outcome.ok());
    CHECK_FALSE(outcome.timed_out);
    CHECK_MESSAGE(outcome.output.find("CPU time limit exceeded") != std::string::npos, outcome.output);
    // The kernel holds sampled ticks against the limit, and these run ahead of the time on a busy machine.
    CHECK(outcome.exit.cpu > std::chrono::milliseconds(500));
    CHECK(outcome.exit.cpu < std::chrono::seconds(4));
}

TEST_CASE("memory, file size, messages and time on the clock are bounded") {
    Bench bench;
    bench.access.limits.memory_bytes = 256ULL << 20;
    std::string bomb = "#define A0 1,1,1,1,1,1,1,1,1,1\n";
    for (int i = 1; i < 9; ++i) {
        const std::string last = "A" + std::to_string(i - 1);
        bomb += "#define A" + std::to_string(i) + " " + last + "," + last + "," + last + "," + last + "," +
                last + "," + last + "," + last + "," + last + "," + last + "," + last + "\n";
    }
    CHECK_FALSE(bench.compile(bomb + "int a[] = {A8};\n").ok());

    bench.access.limits = {};
    bench.access.limits.file_bytes = 1 << 20;
    CHECK(bench.compile("char small[1 << 10] = {1};\n").ok());
    CHECK_FALSE(bench.compile("char large[64 << 20] = {1};\n").ok());

    bench.access.limits = {};
    CHECK(bench.compile("#error " + std::string(5000, 'x') + "\n", {std::chrono::seconds(60), 1000})
              .output_exceeded);
    CHECK(bench.compile("#include <vector>\n", {std::chrono::milliseconds(1)}).timed_out);
}

TEST_CASE("a run leaves nothing but what it wrote into its own folder") {
    const Bench bench;
    bench.compile("int main() {}\n");
    CHECK(std::distance(fs::directory_iterator(bench.folder / "scratch"), fs::directory_iterator()) == 2);
}
