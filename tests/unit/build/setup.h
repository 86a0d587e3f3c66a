#pragma once

#include "build/compile.h"
#include "build/file.h"
#include "system/process.h"
#include "unit/folder.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <stdexcept>
#include <string>

/// A small engine installation in a temporary folder: one problem with one function, and stand-ins for the
/// shim and the table that the engine's own build makes.
namespace test {

namespace fs = std::filesystem;

inline void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    if (!build::write_atomically(path, text, 0600)) throw std::runtime_error("cannot write " + path.string());
}

inline sys::RunOutcome run(const fs::path& program, const std::vector<std::string>& arguments) {
    sys::Command command;
    command.program = program;
    command.arguments = arguments;
    command.environment = build::compiler_environment("/tmp");
    return sys::run(command, {.wall = std::chrono::seconds(60)});
}

/// `twice(values, out)` doubles each value; the worker prints what it gets for 21.
class Setup {
  public:
    explicit Setup(const fs::path& compiler = {}) {
        layout.version = "test";
        layout.compiler = compiler;
        layout.exercises = root_.path() / "exercises";
        layout.objects = root_.path() / "objects";
        layout.preludes = fs::path(ENGINE_SOURCE_DIR) / "validator/build/preludes";
        problem.id = "twice";
        problem.files = {"twice.cpp"};
        problem.folder = root_.path() / "problems/twice";
        problem.exercise = layout.exercises / "twice";
        fs::create_directories(problem.folder);
        fs::create_directories(layout.exercises);
        fs::copy(fs::path(ENGINE_SOURCE_DIR) / "exercises/common", layout.exercises / "common");
        write(problem.exercise / "contract.h",
              "#pragma once\n#include \"common/matrix.h\"\n#include <span>\n"
              "namespace exercise {\nusing namespace contract;\n"
              "void twice(std::span<const int> values, Matrix<int> out);\n}\n");
        write(root_.path() / "table.cpp",
              "#include \"contract.h\"\n"
              "int answer() {\n    const int value = 21;\n    int result = 0;\n"
              "    exercise::twice({&value, 1}, {&result, 1, 1});\n    return result;\n}\n");
        write(root_.path() / "shim.cpp", "#include <cstdio>\nint answer();\n"
                                         "int main() { std::printf(\"%d\", answer()); }\n");
    }

    /// Needs a toolchain, so it comes after the workshop.
    void make_objects(const build::Toolchain& toolchain) const {
        fs::create_directories(layout.objects);
        compile(toolchain, root_.path() / "table.cpp", root_.path() / "table.o");
        compile(toolchain, root_.path() / "shim.cpp", layout.shim());
    }

    /// As `make_objects` has made it.
    build::CallTable table() const {
        std::promise<std::string> object;
        object.set_value(build::read_file(root_.path() / "table.o").value());
        return {"table of twice", object.get_future().share()};
    }

    fs::path cache() const { return root_.path() / "cache" / "engine"; }
    const fs::path& root() const { return root_.path(); }

    build::Layout layout;
    model::Problem problem;

  private:
    void compile(const build::Toolchain& toolchain, const fs::path& from, const fs::path& to) const {
        const auto outcome =
            run(toolchain.compiler, {"-std=c++20", "-fPIE", "-I", problem.exercise.string(), "-I",
                                     layout.exercises.string(), "-c", from.string(), "-o", to.string()});
        if (!outcome.ok()) throw std::runtime_error("stand-in does not compile: " + outcome.output);
    }

    Folder root_;
};

inline model::Submission submission(const std::string& text, const std::string& name = "twice.cpp") {
    return {name, {{name, text}}};
}

inline const std::string right =
    "#include \"contract.h\"\n"
    "namespace exercise {\n"
    "void twice(std::span<const int> values, Matrix<int> out) {\n"
    "    for (std::size_t i = 0; i < values.size(); ++i) out(0, i) = 2 * values[i];\n"
    "}\n"
    "}\n";

} // namespace test
