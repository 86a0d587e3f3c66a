#include "workspace/complete.h"

#include "build/file.h"
#include "model/errors.h"
#include "workspace/write.h"

#include <cerrno>
#include <cstring>

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

bool is_untouched(const Record& record, const fs::path& path, const std::string& text) {
    const auto written = record.files.find(path.string());
    return written != record.files.end() && written->second == digest(text);
}

/// What the record says; for one that is damaged, nothing: it is written anew.
Record record_to_renew(const fs::path& folder, Completed& done) {
    try {
        return read_record(folder).value_or(Record{});
    } catch (const Damaged&) {
        done.damaged = true;
        return {};
    }
}

/// A link is the learner's own, whatever it leads to.
std::optional<std::string> read_unless_link(const fs::path& path) {
    std::error_code ignored;
    return fs::is_symlink(path, ignored) ? std::nullopt : build::read_file(path);
}

} // namespace

Completed complete(const fs::path& folder, const std::vector<File>& files,
                   const std::vector<std::string>& ids) {
    check(folder, ids);
    Completed done;
    Record record = record_to_renew(folder, done);
    record.version = version;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) cannot("make", folder, error.value());
    for (const File& file : files) {
        if (add(folder, file.path, file.text)) {
            done.added.push_back(file.path);
        } else {
            const auto present = read_unless_link(folder / file.path);
            if (!present) continue;
            if (*present != file.text) {
                if (!is_untouched(record, file.path, *present)) continue;
                write(folder, file.path, file.text);
                done.renewed.push_back(file.path);
            } else if (!done.damaged) {
                continue;
            }
        }
        record.files[file.path.string()] = digest(file.text);
    }
    write_record(folder, record);
    return done;
}

} // namespace workspace
