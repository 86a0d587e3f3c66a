#include "app/teaching/engine_source.h"

#include "build/file.h"
#include "model/errors.h"

#include <array>

namespace teaching {
namespace {

namespace fs = std::filesystem;

constexpr std::array folders{"app",      "bench",     "cmake",   "docs",     "exercises",
                             "problems", "reference", "schemas", "validator"};
constexpr std::array files{"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "engine"};

std::string read(const fs::path& file) {
    if (auto text = build::read_file(file)) return *std::move(text);
    throw model::EnvironmentError("cannot read the engine's source: " + file.string());
}

bool is_executable(const fs::path& file) {
    return (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

/// A learner may have edited the one in exercises/.
std::string read_pristine(const fs::path& file, const fs::path& relative, const fs::path& starters) {
    const fs::path kept = starters / relative.lexically_relative("exercises");
    std::error_code error;
    return read(*relative.begin() == "exercises" && fs::is_regular_file(kept, error) ? kept : file);
}

bool is_hidden(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with(".") || name == "__pycache__";
}

void add_folder(std::vector<exports::ZipEntry>& entries, const fs::path& root, const fs::path& folder,
                const fs::path& starters) {
    for (fs::recursive_directory_iterator it(root / folder), end; it != end; ++it) {
        if (is_hidden(it->path())) {
            it.disable_recursion_pending();
            continue;
        }
        if (it->is_symlink() || !it->is_regular_file()) continue;
        const fs::path relative = it->path().lexically_relative(root);
        entries.push_back({relative.generic_string(), read_pristine(it->path(), relative, starters),
                           is_executable(it->path())});
    }
}

} // namespace

fs::path source_folder(const build::Layout& layout) {
    fs::path root = layout.problems.lexically_normal().parent_path();
    for (const char* folder : folders)
        if (!fs::is_directory(root / folder))
            throw model::UsageError(
                "an autograder is built from the engine's source, and this engine is installed without it; "
                "run the command with the engine of a clone: ./engine grade ...");
    return root;
}

std::vector<exports::ZipEntry> engine_source(const build::Layout& layout,
                                             const coursework::Assignment& assignment) {
    const fs::path root = source_folder(layout);
    for (const coursework::AssignedProblem& problem : assignment.problems)
        if (!fs::is_directory(layout.problems / problem.id))
            throw model::UsageError("an autograder has the problems of the engine's own collection, and " +
                                    problem.id + " is not one of them");
    std::vector<exports::ZipEntry> entries;
    entries.reserve(files.size());
    for (const char* file : files)
        entries.push_back({file, read(root / file), is_executable(root / file)});
    for (const char* folder : folders)
        add_folder(entries, root, folder, layout.starters);
    return entries;
}

} // namespace teaching
