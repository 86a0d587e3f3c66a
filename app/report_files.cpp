#include "app/report_files.h"

#include "model/errors.h"
#include "system/temporary.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path, int error) {
    throw model::EnvironmentError("cannot write the report " + path.string() + ": " + std::strerror(error) +
                                  "; choose another place with --output");
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

/// A file that is there already, under whatever name.
bool is_one_of(const std::vector<fs::path>& inputs, const fs::path& path) {
    return std::ranges::any_of(inputs, [&](const fs::path& input) {
        std::error_code not_there;
        return fs::equivalent(input, path, not_there);
    });
}

/// Without waiting for a pipe's reader, who may never come.
sys::Fd open_special(const fs::path& path) {
    sys::Fd fd(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!fd && errno == ENXIO)
        throw model::EnvironmentError("cannot write the report " + path.string() +
                                      ": it is a pipe without a reader; start the reader first");
    if (fd) fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/// A report may go to a folder of its own that a fresh clone does not have.
void make_folder_of(const fs::path& report) {
    std::error_code error;
    fs::create_directories(report.parent_path(), error);
    if (error) cannot_write(report, error.value());
}

/// What a report is called until it is whole.
constexpr std::string_view part_prefix = ".engine-report-";

std::optional<sys::Temporary> open_part(const fs::path& folder) {
    const auto is_part = [](std::string_view name) { return name.starts_with(part_prefix); };
    sys::sweep(folder, is_part, [](const fs::path& left) { unlink(left.c_str()); });
    auto part = sys::make_temporary_file(folder, part_prefix);
    const mode_t mask = umask(0); // can only be asked for by setting it; no other thread runs yet
    umask(mask);
    if (part) fchmod(part->fd.get(), 0644 & ~mask);
    return part;
}

} // namespace

// Through the other constructor, so that the destructor takes back what was opened before one of them failed.
ReportFiles::ReportFiles(const std::vector<ReportOption>& reports, const std::vector<fs::path>& inputs,
                         std::string_view view)
    : ReportFiles() {
    const auto to_stdout = [](const ReportOption& report) {
        return report.output.empty() || report.output == "-";
    };
    if (std::ranges::count_if(reports, to_stdout) > 1)
        throw model::UsageError("only one --format can go to stdout; give the others an --output");
    for (const ReportOption& report : reports) {
        if (to_stdout(report)) {
            on_stdout_ = report.format == view ? "" : report.format;
            continue;
        }
        if (is_one_of(inputs, report.output))
            throw model::UsageError("--output " + report.output +
                                    " would replace what is to be judged; name another file");
        Target target = open_target(report.format, report.output);
        targets_.push_back(std::move(target));
        refuse_twice(targets_.back());
    }
}

void ReportFiles::refuse_twice(const Target& target) const {
    for (const Target& other : targets_)
        if (&other != &target && !target.temporary.empty() && other.path == target.path)
            throw model::UsageError("two reports would go to " + target.path.string() +
                                    "; give each --format its own file");
}

ReportFiles::Target ReportFiles::open_target(const std::string& format, const fs::path& path) {
    Target target{format, path, {}, {}};
    if (const int ours = own_descriptor(path); ours >= 0) {
        target.fd = sys::Fd(fcntl(ours, F_DUPFD_CLOEXEC, 0));
        if (!target.fd) cannot_write(path, errno);
        return target;
    }
    // Behind a link stands the file that is meant; the link itself stays.
    std::error_code none_yet;
    if (const fs::path real = fs::weakly_canonical(fs::absolute(path, none_yet), none_yet); !none_yet)
        target.path = real;
    struct stat status {};
    const bool special = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    if (special) {
        target.fd = open_special(path);
    } else if (make_folder_of(target.path); auto part = open_part(target.path.parent_path())) {
        target.temporary = std::move(part->path);
        target.fd = std::move(part->fd);
    }
    if (!target.fd) cannot_write(path, errno);
    return target;
}

ReportFiles::~ReportFiles() {
    for (const Target& target : targets_)
        if (!target.temporary.empty()) unlink(target.temporary.c_str());
}

void ReportFiles::write(const std::function<std::string(std::string_view)>& render) {
    for (Target& target : targets_) {
        write_all(target.fd.get(), render(target.format), target.path);
        if (target.temporary.empty()) continue;
        if (fsync(target.fd.get()) != 0 || rename(target.temporary.c_str(), target.path.c_str()) != 0)
            cannot_write(target.path, errno);
        target.temporary.clear();
    }
}

} // namespace app
