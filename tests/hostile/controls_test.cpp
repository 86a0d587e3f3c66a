// Each attack that comes to nothing under the judge is shown to work without it: with every mechanism off,
// the same program has to succeed. A control that cannot be run is skipped, with its reason.
//
//   controls_test LAYOUT FOLDER     exit 0: all worked; 1: some did not
#include "battery.h"
#include "build/file.h"
#include "build/layout.h"
#include "model/errors.h"
#include "scene.h"

#include "system/process.h"

#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace hostile {
namespace {

namespace fs = std::filesystem;

sys::RunOutcome run(const fs::path& program, std::vector<std::string> arguments, const fs::path& folder) {
    sys::Command command;
    command.program = program;
    command.arguments = std::move(arguments);
    command.environment = {"PATH=/usr/bin:/bin", "HOME=/", "LC_ALL=C.UTF-8", "TMPDIR=" + folder.string()};
    command.directory = folder;
    return sys::run(command, {.wall = std::chrono::seconds(60)});
}

class Controls {
  public:
    Controls(const build::Layout& layout, const fs::path& folder)
        : layout_(layout), folder_(folder), compiler_(layout.compiler),
          scene_(folder / "scene", programs_, layout.problems / "token-lookup/suite.cpp",
                 layout.driver_library) {
        compile({"-c", (fs::path(ENGINE_SOURCE_DIR) / "tests/hostile/control_main.cpp").string(), "-o",
                 "main.o"});
    }

    /// True where the attack went through.
    bool works(const Row& row, std::string& said) {
        const fs::path source = folder_ / "lookup.cpp";
        std::ofstream(source) << scene_.text(programs_ / (std::string(row.file) + ".cpp"));
        std::vector<std::string> build{"-w", source.string(), "main.o", "-o", "program"};
        if (row.terms.sanitized_control) build.insert(build.end(), {"-O1", "-fsanitize=address"});
        compile(build);
        said = run(folder_ / "program", {}, folder_).output;
        return said.find(row.terms.control) != std::string::npos;
    }

  private:
    void compile(std::vector<std::string> more) {
        std::vector<std::string> arguments{"-std=c++20", "-pthread",
                                           "-I",         (layout_.exercises / "token-lookup").string(),
                                           "-I",         layout_.exercises.string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const sys::RunOutcome outcome = run(compiler_, arguments, folder_);
        if (!outcome.ok()) throw model::EnvironmentError("a control does not compile: " + outcome.output);
    }

    const build::Layout& layout_;
    fs::path folder_, compiler_;
    fs::path programs_ = fs::path(ENGINE_SOURCE_DIR) / "tests/hostile/programs";
    Scene scene_;
};

int run_all(const fs::path& layout_file, const fs::path& parent) {
    const build::Layout layout = build::read_layout(layout_file);
    const fs::path folder = parent / ("controls-" + std::to_string(getpid()));
    fs::create_directories(folder);
    int worked = 0, failed = 0, skipped = 0;
    {
        Controls controls(layout, folder);
        for (const Row& row : battery()) {
            std::string said;
            if (*row.terms.no_control != '\0') {
                std::printf("skipped %s: %s\n", row.file, row.terms.no_control);
                ++skipped;
            } else if (*row.terms.control != '\0') {
                const bool works = controls.works(row, said);
                if (!works)
                    std::printf("FAILED  %s does nothing without a sandbox: %s\n", row.file, said.c_str());
                (works ? worked : failed) += 1;
            }
            std::fflush(stdout);
        }
    }
    fs::remove_all(folder);
    std::printf("controls: %d attacks work without a sandbox, %d do not, %d skipped\n", worked, failed,
                skipped);
    return failed == 0 && worked > 0 ? 0 : 1;
}

} // namespace
} // namespace hostile

int main(int count, char** values) {
    if (count != 3) {
        std::fputs("usage: controls_test LAYOUT FOLDER\n", stderr);
        return 2;
    }
    try {
        return hostile::run_all(values[1], values[2]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "controls_test: %s\n", error.what());
        return 1;
    }
}
