#include "kit/package.h"

#include "build/file.h"
#include "model/errors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace kit {
namespace {

namespace fs = std::filesystem;

/// A file that is not there is the package's fault; one that cannot be read is this machine's.
[[noreturn]] void fail(const std::string& path, int error) {
    if (error == ENOENT || error == ENOTDIR) throw model::ContentError(path, "", "there is no such file");
    throw model::EnvironmentError("cannot read " + path + ": " + std::strerror(error));
}

std::string read(const fs::path& file, const std::string& path) {
    errno = 0;
    if (auto text = build::read_file(file)) return std::move(*text);
    if (errno != 0) fail(path, errno);
    throw model::ContentError(path, "", "is not a file, or too large");
}

/// Adds the files of a folder that end in one of these ways, below the name that the folder has in a
/// collection.
void add_files(Texts& texts, const fs::path& folder, const std::string& name,
               std::initializer_list<const char*> extensions) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string extension = it->path().extension().string();
        if (std::ranges::find(extensions, extension) == extensions.end()) continue;
        const std::string path = name + "/" + it->path().filename().string();
        texts[path] = read(it->path(), path);
    }
    if (error) fail(name, error.value());
}

} // namespace

Texts read_contract(const std::string& id, const fs::path& exercise) {
    Texts contract;
    const std::string file = "exercises/" + id + "/contract.h";
    contract[file] = read(exercise / "contract.h", file);
    add_files(contract, exercise, "exercises/" + id, {".h"});
    return contract;
}

Package read_package(const model::Problem& problem) {
    Package package{problem.id, problem.language};
    package.contract = read_contract(problem.id, problem.exercise);
    const std::string folder = "problems/" + problem.id;
    add_files(package.suite, problem.folder, folder, {".h"});
    if (fs::exists(problem.folder / "suite"))
        add_files(package.suite, problem.folder / "suite", folder + "/suite", {".cpp", ".h"});
    else
        package.suite[folder + "/suite.cpp"] = read(problem.folder / "suite.cpp", folder + "/suite.cpp");
    add_files(package.reference, problem.host_reference.front().parent_path(), "reference/" + problem.id,
              {".cpp", ".h"});
    for (const model::Mistake& mistake : problem.mistakes) {
        const std::string extension = fs::path(problem.files.front()).extension().string();
        const std::string path = folder + "/mistakes/" + mistake.name + extension;
        package.mistakes.push_back({mistake.name, path, mistake.program, mistake.base_text});
    }
    return package;
}

} // namespace kit
