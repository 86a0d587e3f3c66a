#include "app/scaffold/scaffold.h"

#include "build/file.h"
#include "catalogue/source.h"
#include "model/errors.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace scaffold {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view placeholder = "@ID@";

/// Where a part of the template goes.
struct Place {
    std::string part; ///< folder of the template
    fs::path folder;  ///< which gets a folder named after the problem
};

std::array<Place, 3> places(const build::Layout& layout) {
    return {
        {{"problems", layout.problems}, {"exercises", layout.exercises}, {"reference", layout.reference}}};
}

void check(const build::Layout& layout, const std::string& id) {
    if (!catalogue::is_slug(id))
        throw model::UsageError("cannot make a problem called '" + id +
                                "': an id is lower-case words of letters and digits joined by '-', such as "
                                "token-lookup");
    std::error_code ignored;
    if (!fs::exists(layout.problems.parent_path() / "CMakeLists.txt", ignored))
        throw model::UsageError(
            "cannot make the problem " + id + ": " + layout.problems.parent_path().string() +
            " is an installed engine, which builds no problems; use ./engine in a copy of "
            "the source tree");
    for (const Place& place : places(layout)) {
        if (fs::exists(fs::symlink_status(place.folder / id, ignored)))
            throw model::UsageError("cannot make the problem " + id + ": " + (place.folder / id).string() +
                                    " exists already; choose another id");
        if (access(place.folder.c_str(), W_OK) != 0)
            throw model::UsageError("cannot make the problem " + id + " in " + place.folder.string() + ": " +
                                    std::strerror(errno) +
                                    "; use ./engine in a copy of the source tree that is yours");
    }
}

std::string filled(std::string text, const std::string& id) {
    for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos; at += id.size())
        text.replace(at, placeholder.size(), id);
    return text;
}

std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->is_regular_file(error)) files.push_back(it->path());
    if (files.empty())
        throw model::EnvironmentError("cannot read the template in " + folder.string() +
                                      "; build or install the engine again");
    std::ranges::sort(files);
    return files;
}

void write(const fs::path& source, const fs::path& target, const std::string& id) {
    const auto text = build::read_file(source);
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    if (!text || error || !build::write_atomically(target, filled(*text, id), 0644))
        throw model::EnvironmentError("cannot write " + target.string() + ": " +
                                      (error ? error.message() : std::strerror(errno)) +
                                      "; is the disk full?");
}

} // namespace

std::vector<fs::path> make_problem(const build::Layout& layout, const std::string& id) {
    check(layout, id);
    std::vector<fs::path> written;
    try {
        for (const Place& place : places(layout))
            for (const fs::path& source : files_below(layout.templates / place.part)) {
                written.push_back(place.folder / id /
                                  source.lexically_relative(layout.templates / place.part));
                write(source, written.back(), id);
            }
    } catch (...) {
        std::error_code ignored;
        for (const Place& place : places(layout))
            fs::remove_all(place.folder / id, ignored);
        throw;
    }
    return written;
}

} // namespace scaffold
