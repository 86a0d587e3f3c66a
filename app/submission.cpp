#include "app/submission.h"

#include "model/errors.h"
#include "system/fd.h"

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
    case EACCES:
    case EPERM:
    case ELOOP:
    case ENOTDIR:
    case ENXIO:
    case ENODEV:
    case ENAMETOOLONG: return {shown, shown + " cannot be read (" + std::strerror(error) + ")"};
    default: throw model::EnvironmentError("cannot read " + shown + ": " + std::strerror(error));
    }
}

} // namespace

std::variant<std::string, Unreadable> read_source(const fs::path& path, const std::string& shown,
                                                  const std::string& remedy) {
    const sys::Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!fd) {
        if (errno == ENOENT) return Unreadable{shown, shown + " does not exist; " + remedy};
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

std::variant<model::Submission, Unreadable> read_submission(const Context& context,
                                                            const model::Problem& problem) {
    const fs::path from = context.options().from;
    if (!from.empty() && !fs::exists(from))
        throw model::UsageError("--from " + from.string() + ": there is no such file or folder");

    model::Submission submission;
    submission.from = from.string();
    submission.call = context.call()();
    for (const std::string& name : problem.files) {
        // One named file stands for a problem's single file, whatever it is called itself.
        const fs::path path = from.empty()             ? context.learner_file(problem, name)
                              : fs::is_directory(from) ? from / name
                                                       : from;
        const std::string shown = context.shown(path);
        auto text =
            read_source(path, shown, context.call()("reset " + problem.id) + " puts the starter back");
        if (auto* unreadable = std::get_if<Unreadable>(&text)) return *unreadable;
        if (submission.shown_as.empty()) submission.shown_as = shown;
        submission.files.push_back({name, std::get<std::string>(std::move(text))});
    }
    return submission;
}

} // namespace app
