#include "store/failure.h"

#include "model/errors.h"
#include "store/errors.h"

#include <sqlite3.h>

#include <stdexcept>

namespace store {
namespace {

std::string shell_quoted(const std::filesystem::path& path) {
    std::string quoted = "'";
    for (const char letter : path.string())
        quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return quoted + "'";
}

/// A name beside the file that nothing has yet, so that following the advice overwrites nothing.
std::filesystem::path free_name(const std::filesystem::path& database) {
    auto name = database;
    name += ".aside";
    std::error_code ignored;
    for (int copy = 2; std::filesystem::exists(std::filesystem::symlink_status(name, ignored)) && copy < 1000;
         ++copy)
        name = database.string() + ".aside-" + std::to_string(copy);
    return name;
}

std::string cannot_use(const File& file) {
    return "cannot use the " + std::string(file.kind->what) + " " + file.path.string() + ": ";
}

std::string move_aside(const std::filesystem::path& database) {
    return "\n  mv -- " + shell_quoted(database) + " " + shell_quoted(free_name(database));
}

} // namespace

void refuse(const File& file, const std::string& fault) {
    throw model::EnvironmentError(
        cannot_use(file) + fault +
        ". It was left as it is. To start with a fresh one, move it aside:" + move_aside(file.path));
}

void refuse_newer(const File& file, std::uint32_t version) {
    throw model::EnvironmentError(
        cannot_use(file) + "a newer engine wrote it (version " + std::to_string(version) +
        ", this engine knows up to " + std::to_string(file.kind->steps.size()) +
        "). It was left as it is. Update engine, or move it aside to start with a fresh one:" +
        move_aside(file.path));
}

void refuse_unwritable(const File& file, const std::string& fault) {
    throw Unwritable("cannot " + std::string(file.kind->saving) + " in " + file.path.string() + ": " + fault +
                     ". Check that the disk has room and that you may write there:\n  ls -ld -- " +
                     shell_quoted(file.path.parent_path()) + " " + shell_quoted(file.path));
}

void refuse(const File& file, const SQLite::Exception& error) {
    switch (error.getErrorCode() & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        throw Held(cannot_use(file) +
                   "another program holds it. Nothing was changed. Wait until that program is done "
                   "and try again; this names it:\n  fuser -v " +
                   shell_quoted(file.path));
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_FULL: refuse_unwritable(file, error.what());
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_MISUSE:
    case SQLITE_RANGE: // our own bug, nothing about the file
        throw std::logic_error(std::string(file.kind->what) + " " + file.path.string() + ": " + error.what());
    default: refuse(file, std::string("it is damaged (") + error.what() + ")");
    }
}

} // namespace store
