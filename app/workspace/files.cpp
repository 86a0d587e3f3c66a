#include "workspace/files.h"

#include "build/file.h"
#include "model/errors.h"
#include "model/shell_word.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>

namespace workspace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view readme = R"(# Your exercises

`{0}` says where you are and the one next thing to do.

1. `{0} show` tells the task; write your code in `exercises/<id>/`.
2. `{0} test` compiles it, runs the visible tests and names the mistake; `{0} hint` helps, more each time.
3. `{0} submit-build` hands it in: all tests, points, questions.

Any editor with clangd understands the files; in VS Code, "Run Build Task" tests the file that is open.
Progress is kept in `.engine/`. `{1} init .` brings missing files back, in a clone too, and changes none of yours.
)";

constexpr std::string_view ignored = "/.engine/\n/.cache/\n*.bak\n";

/// The headers of a folder, in order of their names.
void add_headers(std::vector<File>& files, const fs::path& folder, const fs::path& target) {
    std::vector<fs::path> headers;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".h") headers.push_back(it->path());
    if (error || headers.empty())
        throw model::EnvironmentError("cannot find the headers in " + folder.string() +
                                      (error ? ": " + error.message() : "") +
                                      "; build or install the engine again");
    std::ranges::sort(headers);
    for (const fs::path& header : headers)
        files.push_back({target / header.filename(), read_starter(header)});
}

} // namespace

bool Names::has_inside(const fs::path& path) const {
    const fs::path relative = path.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

std::vector<File> generated(const Names& names) {
    std::vector<File> files;
    if (!names.has_portable_program())
        files.push_back(
            {run_script, fmt::format("exec {} \"$@\"\n", model::shell_word(names.program.string()))});
    if (names.has_inside(names.emulator)) return files;
    std::vector<fs::path> headers;
    std::error_code error;
    for (fs::recursive_directory_iterator it(names.emulator, error), end; !error && it != end;
         it.increment(error))
        if (it->is_regular_file(error)) headers.push_back(it->path());
    if (error)
        throw model::EnvironmentError("cannot read the CUDA headers in " + names.emulator.string() + ": " +
                                      error.message() + "; build or install the engine again");
    std::ranges::sort(headers);
    for (const fs::path& header : headers)
        files.push_back(
            {fs::path(copied_headers) / header.lexically_relative(names.emulator), read_starter(header)});
    return files;
}

std::vector<File> words(const Names& names) {
    const bool portable = names.has_portable_program();
    const std::string engine = portable ? names.engine : "sh " + std::string(run_script);
    // In a clone that script is not there yet.
    const std::string anywhere = portable ? names.engine : "engine";
    return {{"README.md", fmt::format(readme, engine, anywhere)}, {".gitignore", std::string(ignored)}};
}

std::string read_starter(const fs::path& file) {
    if (auto text = build::read_file(file)) return std::move(*text);
    throw model::EnvironmentError("cannot read " + file.string() + ", which a workspace begins with: " +
                                  std::strerror(errno) + "; build or install the engine again");
}

std::vector<File> exercises(const build::Layout& layout, const std::vector<model::Problem>& problems) {
    std::vector<File> files;
    add_headers(files, layout.exercises / "common", "exercises/common");
    for (const model::Problem& problem : problems) {
        const fs::path folder = fs::path("exercises") / problem.id;
        add_headers(files, problem.exercise, folder);
        for (std::size_t i = 0; i < problem.files.size(); ++i)
            files.push_back({folder / problem.files[i], read_starter(problem.starters[i])});
    }
    const fs::path fine_print = fs::path("docs") / "fine-print.md";
    if (std::string text = build::read_if_there(layout.exercises.parent_path() / fine_print); !text.empty())
        files.push_back({fine_print, std::move(text)});
    return files;
}

} // namespace workspace
