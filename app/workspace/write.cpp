#include "workspace/write.h"

#include "model/errors.h"
#include "system/beneath.h"
#include "system/write_beneath.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>

namespace workspace {
namespace {

namespace fs = std::filesystem;

/// The first link on the way from `folder` to `name`, both ends included; nothing if there is none.
std::optional<fs::path> first_link(const fs::path& folder, const fs::path& name) {
    fs::path way = folder;
    std::error_code ignored;
    for (const fs::path& part : name) {
        way /= part;
        if (fs::is_symlink(fs::symlink_status(way, ignored))) return way;
    }
    return std::nullopt;
}

std::string_view remedy(int error) {
    switch (error) {
    case ENOSPC:
    case EDQUOT: return "free some space there, then try again";
    case ENOTDIR: return "a file has the name of a folder: move it aside";
    default: return "is the folder writable?";
    }
}

/// `error` is what opening or writing `name` ended with.
[[noreturn]] void refuse(const fs::path& folder, const fs::path& name, int error) {
    const std::string what = "cannot write " + (folder / name).string() + ": ";
    if (const auto link = error == ELOOP ? first_link(folder, name) : std::nullopt)
        throw model::UsageError(
            fmt::format("{}{} is a symbolic link, and the engine follows no link below {}; "
                        "put the file or folder itself there",
                        what, *link == folder / name ? "it" : link->string(), folder.string()));
    throw model::EnvironmentError(fmt::format("{}{}; {}", what, std::strerror(error), remedy(error)));
}

sys::Fd open_root(const fs::path& folder, const fs::path& name) {
    sys::Fd root = sys::open_folder(folder);
    if (!root) refuse(folder, name, errno);
    return root;
}

std::string backup_name(const std::string& file, int number) {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts);
    return fmt::format("{}.{}{}.bak", file, stamp, number == 0 ? "" : fmt::format("-{}", number));
}

/// Renames a file and returns its new name; empty if there is none, or with errno set.
std::string set_aside(const sys::Fd& folder, const std::string& file) {
    for (int number = 0;; ++number) {
        std::string backup = backup_name(file, number);
        errno = 0;
        if (renameat2(folder.get(), file.c_str(), folder.get(), backup.c_str(), RENAME_NOREPLACE) == 0)
            return backup;
        if (errno == EEXIST) continue;
        if (errno == ENOENT) errno = 0;
        return {};
    }
}

} // namespace

void make_folder(const fs::path& folder, const fs::path& name) {
    if (!sys::make_folder_beneath(open_root(folder, name), name)) refuse(folder, name, errno);
}

void write(const fs::path& folder, const fs::path& name, std::string_view text) {
    if (!sys::write_beneath(open_root(folder, name), name, text)) refuse(folder, name, errno);
}

bool add(const fs::path& folder, const fs::path& name, std::string_view text) {
    if (sys::write_beneath(open_root(folder, name), name, text, sys::Present::keep)) return true;
    if (errno != EEXIST) refuse(folder, name, errno);
    return false;
}

void link(const fs::path& folder, const fs::path& name, const fs::path& target) {
    if (!sys::link_beneath(open_root(folder, name), name, target)) refuse(folder, name, errno);
}

std::optional<fs::path> replace(const fs::path& folder, const fs::path& name, std::string_view text) {
    const sys::Fd root = open_root(folder, name);
    const sys::Fd parent = sys::make_folder_beneath(root, name.parent_path());
    if (!parent) refuse(folder, name, errno);
    const std::string file = name.filename().string();
    const std::string backup = set_aside(parent, file);
    if (errno != 0) refuse(folder, name, errno);
    if (sys::write_beneath(root, name, text))
        return backup.empty() ? std::nullopt : std::optional(folder / name.parent_path() / backup);
    const int error = errno;
    if (!backup.empty()) renameat(parent.get(), backup.c_str(), parent.get(), file.c_str());
    refuse(folder, name, error);
}

void require_no_link(const fs::path& folder, const fs::path& name) {
    if (first_link(folder, name)) refuse(folder, name, ELOOP);
}

} // namespace workspace
