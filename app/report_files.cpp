#include "app/report_files.h"

#include "model/errors.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path, int error) {
    throw model::EnvironmentError("cannot write the report " + path.string() + ": " + std::strerror(error) +
                                  "; choose another place with --output");
}

const report::Format& find_format(const std::string& name) {
    return *std::ranges::find(report::formats(), name, &report::Format::name);
}

/// The number of the open descriptor that a path like /dev/stdout or /dev/fd/3 stands for; -1 for every other
/// path. It is written to as it is: put in place by renaming, the report would take the name in /dev for
/// itself.
int own_descriptor(const fs::path& path) {
    if (path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    const fs::path folder = path.parent_path();
    if (folder != "/dev/fd" && folder != "/proc/self/fd") return -1;
    const std::string name = path.filename().string();
    int number = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

void write_all(int fd, const std::string& text, const fs::path& path) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t wrote = ::write(fd, text.data() + done, text.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) cannot_write(path, errno);
        done += static_cast<std::size_t>(wrote);
    }
}

} // namespace

// Through the other constructor, so that the destructor takes back what was opened before one of them failed.
ReportFiles::ReportFiles(const std::vector<std::string>& formats, const std::vector<std::string>& outputs)
    : ReportFiles() {
    if (outputs.size() > formats.size())
        throw model::UsageError(
            "each --output needs a --format before it, as in: --format json --output report.json");
    if (formats.size() > outputs.size() + 1)
        throw model::UsageError("only one --format can go to stdout; give the others an --output");
    for (std::size_t i = 0; i < formats.size(); ++i) {
        const report::Format& format = find_format(formats[i]);
        if (i >= outputs.size())
            on_stdout_ = format.name == "console" ? nullptr : &format;
        else
            targets_.push_back(open_target(format, outputs[i]));
    }
}

ReportFiles::Target ReportFiles::open_target(const report::Format& format, const fs::path& path) {
    Target target{&format, path, {}, {}};
    if (const int ours = own_descriptor(path); ours >= 0) {
        target.fd = sys::Fd(fcntl(ours, F_DUPFD_CLOEXEC, 0));
        if (!target.fd) cannot_write(path, errno);
        return target;
    }
    // Behind a link stands the file that is meant; the link itself stays.
    std::error_code none_yet;
    if (const fs::path real = fs::canonical(path, none_yet); !none_yet) target.path = real;
    struct stat status {};
    const bool special = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    if (special) {
        target.fd = sys::Fd(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    } else {
        target.temporary = target.path.parent_path() /
                           ("." + target.path.filename().string() + "." + std::to_string(getpid()));
        target.fd = sys::Fd(open(target.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    }
    if (!target.fd) cannot_write(path, errno);
    return target;
}

ReportFiles::~ReportFiles() {
    for (const Target& target : targets_)
        if (!target.temporary.empty()) unlink(target.temporary.c_str());
}

void ReportFiles::write(const model::Judgement& judgement) {
    for (Target& target : targets_) {
        write_all(target.fd.get(), target.format->render(judgement), target.path);
        if (target.temporary.empty()) continue;
        if (fsync(target.fd.get()) != 0 || rename(target.temporary.c_str(), target.path.c_str()) != 0)
            cannot_write(target.path, errno);
        target.temporary.clear();
    }
}

} // namespace app
