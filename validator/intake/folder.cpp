#include "intake/folder.h"

#include "build/file.h"
#include "model/errors.h"
#include "system/beneath.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace intake {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_read(const fs::path& path, const std::string& why) {
    throw model::EnvironmentError("cannot read " + path.string() + ": " + why);
}

/// Names below a folder, in order, so that what is read does not depend on the disk.
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end && names.size() <= max_files;
         it.increment(error))
        names.push_back(it->path().filename().string());
    if (error) cannot_read(folder, error.message());
    std::ranges::sort(names);
    return names;
}

/// Reads a folder and what is below it; the first trouble ends it.
class Walk {
  public:
    explicit Walk(fs::path root) : root_(std::move(root)), open_(sys::open_folder(root_)) {
        if (!open_) cannot_read(root_, std::strerror(errno));
    }

    void folder(const fs::path& below) {
        for (const std::string& name : names_in(root_ / below)) {
            if (!entries.trouble.empty()) return;
            visit(below / name);
        }
    }

    void file(const fs::path& below, const std::string& name) {
        const sys::Fd fd = sys::open_beneath(open_, below, O_RDONLY);
        if (!fd && errno == ELOOP) {
            entries.files.push_back({name, {}, true});
            return;
        }
        if (!fd) cannot_read(root_ / below, std::strerror(errno));
        struct stat status {};
        fstat(fd.get(), &status);
        if (!S_ISREG(status.st_mode)) return;
        note_change(entries, changed(fd.get()));
        std::string text;
        if (is_kept(name)) {
            total_ += static_cast<std::uint64_t>(status.st_size);
            if (total_ > max_total_bytes) return give_up("its files have more than 64 MiB");
            auto read = build::read_all(fd.get(), max_file_bytes);
            if (!read) return give_up(name + " is larger than 4 MiB");
            text = std::move(*read);
        }
        entries.files.push_back({name, std::move(text)});
    }

    Entries entries;

  private:
    void give_up(const std::string& why) {
        entries.trouble = why;
        entries.files.clear();
    }

    void visit(const fs::path& below) {
        const auto path = plain_path(below.string());
        if (!path || is_hidden(*path)) return;
        if (++seen_ > max_files)
            return give_up("the folder has more than " + std::to_string(max_files) + " files");
        std::error_code error;
        const fs::file_type type = fs::symlink_status(root_ / below, error).type();
        if (type == fs::file_type::directory) return folder(below);
        if (type == fs::file_type::regular || type == fs::file_type::symlink) file(below, *path);
    }

    fs::path root_;
    sys::Fd open_;
    std::size_t seen_ = 0;
    std::uint64_t total_ = 0;
};

} // namespace

coursework::Instant changed(int fd) {
    struct stat status {};
    fstat(fd, &status);
    return coursework::Instant(std::chrono::seconds(status.st_mtim.tv_sec));
}

Entries read_folder(const fs::path& folder) {
    Walk walk(folder);
    walk.folder("");
    return std::move(walk.entries);
}

Entries read_single_file(const fs::path& file, const std::string& name) {
    Walk walk(file.parent_path().empty() ? "." : file.parent_path());
    walk.file(file.filename(), name);
    return std::move(walk.entries);
}

} // namespace intake
