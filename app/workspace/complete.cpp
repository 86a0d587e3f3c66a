#include "workspace/complete.h"

#include "build/file.h"
#include "model/errors.h"
#include "system/fd.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace workspace {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot(const std::string& what, const fs::path& path, int error) {
    throw model::EnvironmentError("cannot " + what + " " + path.string() + ": " + std::strerror(error) +
                                  "; is the folder writable, and space left on the disk?");
}

/// A repository that was just made or cloned is as good as empty.
bool holds_nothing(const fs::path& folder) {
    std::error_code error;
    fs::directory_iterator it(folder, error);
    for (const fs::directory_iterator end; !error && it != end; it.increment(error))
        if (it->path().filename() != ".git") return false;
    if (error) cannot("look into", folder, error.value());
    return true;
}

void check(const fs::path& folder, const std::vector<std::string>& ids) {
    std::error_code error;
    const auto status = fs::status(folder, error);
    if (status.type() == fs::file_type::not_found) return;
    if (error) cannot("look at", folder, error.value());
    if (!fs::is_directory(status))
        throw model::UsageError("cannot make a workspace in " + folder.string() +
                                ": it is not a folder; name one that is empty or not there yet");
    if (shape_of(folder, ids) == Shape::none && !holds_nothing(folder))
        throw model::UsageError("cannot make a workspace in " + folder.string() +
                                ": it holds something else; name a folder that is empty or not there yet");
}

/// Writes a file that is not there; one that appears meanwhile is kept.
void add(const fs::path& path, const std::string& text) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) cannot("make", path.parent_path(), error.value());
    const sys::Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!file) {
        if (errno == EEXIST) return;
        cannot("write", path, errno);
    }
    if (build::write_all(file.get(), text)) return;
    const int failure = errno;
    unlink(path.c_str());
    cannot("write", path, failure);
}

bool is_untouched(const Record& record, const fs::path& path, const std::string& text) {
    const auto written = record.files.find(path.string());
    return written != record.files.end() && written->second == digest(text);
}

} // namespace

Completed complete(const fs::path& folder, const std::vector<File>& files,
                   const std::vector<std::string>& ids) {
    check(folder, ids);
    Record record = read_record(folder).value_or(Record{});
    record.version = version;
    Completed done;
    for (const File& file : files) {
        const fs::path path = folder / file.path;
        std::error_code error;
        if (!fs::exists(fs::symlink_status(path, error))) {
            add(path, file.text);
            done.added.push_back(file.path);
        } else {
            const auto present = build::read_file(path);
            if (!present || *present == file.text || !is_untouched(record, file.path, *present)) continue;
            if (!build::write_atomically(path, file.text, 0644)) cannot("write", path, errno);
            done.renewed.push_back(file.path);
        }
        record.files[file.path.string()] = digest(file.text);
    }
    if (!write_record(folder, record)) cannot("write", folder / ".engine" / "workspace.json", errno);
    return done;
}

} // namespace workspace
