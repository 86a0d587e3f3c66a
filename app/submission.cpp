#include "app/submission.h"

#include "build/digest.h"
#include "model/errors.h"
#include "report/words.h"
#include "system/beneath.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace app {
namespace {

namespace fs = std::filesystem;

/// More than any exercise needs; beyond it nothing is read into memory.
constexpr std::uintmax_t max_bytes = 4 << 20;

/// Why the file could not be opened or read. Some reasons are the file's, and the submission's owner can do
/// something about them; with any other it is us who cannot go on, and nothing may be graded.
Unreadable not_readable(const std::string& shown, int error) {
    switch (error) {
    case ELOOP:
        return {shown, shown +
                           " cannot be read: it is a symbolic link, or its folder is one, and links are not "
                           "followed; put the file itself there"};
    case EACCES:
    case EPERM:
    case ENOTDIR:
    case ENXIO:
    case ENODEV:
    case ENAMETOOLONG: return {shown, shown + " cannot be read (" + std::strerror(error) + ")"};
    default: throw model::EnvironmentError("cannot read " + shown + ": " + std::strerror(error));
    }
}

/// The sources in a folder that somebody hands in, by name; the contract's headers are the engine's own.
std::vector<std::string> sources_in(const fs::path& folder) {
    constexpr std::array extensions{".cpp", ".cc", ".cxx", ".c", ".cu", ".h", ".hpp", ".hh", ".cuh"};
    constexpr std::size_t enough = 1000;
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end && names.size() < enough;
         it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (std::ranges::find(extensions, it->path().extension().string()) != extensions.end() &&
            !name.starts_with('.') && name != "contract.h")
            names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
}

std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

/// What kind of thing `--from` names. Throws model::UsageError where it cannot be known.
fs::file_type type_of(const fs::path& from) {
    std::error_code error;
    const fs::file_type type = fs::status(from, error).type();
    if (type == fs::file_type::not_found)
        throw model::UsageError("--from " + from.string() + ": there is no such file or folder");
    if (error) throw model::UsageError("--from " + from.string() + ": " + error.message());
    return type;
}

/// A folder that somebody hands in. The problem's files have to be there under their names; where it is one
/// file, the only source in the folder is meant, whatever it is called.
std::vector<SourcePlace> places_in(const Context& context, const model::Problem& problem,
                                   const fs::path& folder) {
    std::vector<SourcePlace> places;
    std::vector<std::string> others = sources_in(folder);
    for (const std::string& name : problem.files) {
        places.push_back({folder, name});
        std::erase(others, name);
    }
    if (others.empty()) return places;
    const std::string& only = problem.files.front();
    std::error_code error;
    if (problem.files.size() == 1 &&
        fs::symlink_status(folder / only, error).type() == fs::file_type::not_found) {
        if (others.size() == 1 && fs::path(others.front()).extension() == fs::path(only).extension())
            return {{folder, others.front()}};
        return places;
    }
    context.warn("only " + listed(problem.files) + " of " + folder.string() + " is judged: " + problem.id +
                 " takes nothing else, so " + listed(others) + (others.size() == 1 ? " is" : " are") +
                 " left out");
    return places;
}

/// What to do where a file is not there.
std::string when_missing(const Context& context, const model::Problem& problem) {
    const fs::path from = context.options().from;
    if (from.empty()) return context.call()("reset " + problem.id) + " puts the starter back";
    const std::vector<std::string> others = sources_in(from);
    const std::string takes = problem.id + " is judged from " + listed(problem.files);
    if (others.empty()) return takes + ": put it there, or name another folder with --from";
    return "the folder has " + listed(others) + ", and " + takes +
           ": name the file that is meant with --from FILE";
}

} // namespace

std::variant<std::string, Unreadable> read_source(const SourcePlace& place, const std::string& shown,
                                                  const std::string& when_missing) {
    const sys::Fd folder = sys::open_folder(place.folder);
    const sys::Fd fd = folder ? sys::open_beneath(folder, place.name, O_RDONLY) : sys::Fd();
    if (!fd) {
        if (errno == ENOENT) return Unreadable{shown, shown + " does not exist; " + when_missing, true};
        return not_readable(shown, errno);
    }
    struct stat status {};
    fstat(fd.get(), &status);
    if (S_ISDIR(status.st_mode)) return Unreadable{shown, shown + " is a folder; a source file is needed"};
    if (!S_ISREG(status.st_mode)) return Unreadable{shown, shown + " is not a regular file"};
    if (static_cast<std::uintmax_t>(status.st_size) > max_bytes)
        return Unreadable{shown, shown + " is larger than 4 MiB; no exercise needs that"};
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t have = 0;
    while (have < text.size()) {
        const ssize_t got = read(fd.get(), text.data() + have, text.size() - have);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return not_readable(shown, errno);
        if (got == 0) break;
        have += static_cast<std::size_t>(got);
    }
    text.resize(have);
    return text;
}

std::variant<std::string, Unreadable> read_source(const fs::path& path, const std::string& shown,
                                                  const std::string& remedy) {
    return read_source(SourcePlace{path.parent_path(), path.filename()}, shown, remedy);
}

std::vector<SourcePlace> submission_places(const Context& context, const model::Problem& problem) {
    const fs::path from = context.options().from;
    if (!from.empty()) {
        if (type_of(from) == fs::file_type::directory) return places_in(context, problem, from);
        if (problem.files.size() > 1)
            throw model::UsageError(problem.id + " consists of " + listed(problem.files) +
                                    "; --from takes the folder that they are in");
        return {{from.parent_path(), from.filename()}};
    }
    std::vector<SourcePlace> places;
    for (const std::string& name : problem.files) {
        const fs::path whole = context.learner_file(problem, name);
        places.push_back({*context.workspace(), whole.lexically_relative(*context.workspace())});
    }
    return places;
}

std::variant<model::Submission, Unreadable> read_submission(const Context& context,
                                                            const model::Problem& problem,
                                                            const std::vector<SourcePlace>& places) {
    model::Submission submission;
    submission.from = context.options().from;
    submission.call = context.call()();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::string shown = context.shown(places[i].folder / places[i].name);
        auto text = read_source(places[i], shown, when_missing(context, problem));
        if (auto* unreadable = std::get_if<Unreadable>(&text)) return *unreadable;
        if (submission.shown_as.empty()) submission.shown_as = shown;
        submission.files.push_back({problem.files[i], std::get<std::string>(std::move(text))});
    }
    return submission;
}

std::variant<model::Submission, Unreadable>
read_present(const Context& context, const model::Problem& problem, const std::vector<SourcePlace>& places) {
    auto read = read_submission(context, problem, places);
    if (const auto* unreadable = std::get_if<Unreadable>(&read); unreadable != nullptr && unreadable->missing)
        throw MissingSubmission("nothing was judged: " + unreadable->why);
    return read;
}

std::variant<model::Submission, Unreadable> read_submission(const Context& context,
                                                            const model::Problem& problem) {
    return read_submission(context, problem, submission_places(context, problem));
}

std::string hash_of(const model::Submission& submission) {
    build::Digest digest;
    digest.add("engine.submission/1");
    for (const model::SourceFile& file : submission.files)
        digest.add(file.name).add(file.text);
    return digest.hex();
}

bool is_own_work(const Context& context) {
    if (context.options().from.empty()) return true;
    if (!context.workspace()) return false;
    const auto is_below = [&](const char* part) {
        std::error_code error;
        const fs::path folder = fs::canonical(*context.workspace() / part, error);
        if (error) return false;
        const fs::path from = fs::canonical(context.options().from, error);
        return !error && std::ranges::mismatch(folder, from).in1 == folder.end();
    };
    return is_below("exercises") || is_below("harden");
}

} // namespace app
