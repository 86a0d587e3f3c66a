#include "store/failure.h"

#include "model/errors.h"
#include "store/store.h"

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

std::string cannot_use(const std::filesystem::path& database) {
    return "cannot use the progress database " + database.string() + ": ";
}

std::string move_aside(const std::filesystem::path& database) {
    return "\n  mv -- " + shell_quoted(database) + " " + shell_quoted(free_name(database));
}

} // namespace

void refuse(const std::filesystem::path& database, const std::string& fault) {
    throw model::EnvironmentError(
        cannot_use(database) + fault +
        ". It was left as it is. To start with a fresh one, move it aside:" + move_aside(database));
}

void refuse_newer(const std::filesystem::path& database, std::uint32_t version, std::size_t known) {
    throw model::EnvironmentError(
        cannot_use(database) + "a newer engine wrote it (version " + std::to_string(version) +
        ", this engine knows up to " + std::to_string(known) +
        "). It was left as it is. Update engine, or move it aside to start with a fresh one:" +
        move_aside(database));
}

void refuse_unwritable(const std::filesystem::path& database, const std::string& fault) {
    throw Unwritable("cannot save progress in " + database.string() + ": " + fault +
                     ". Check that the disk has room and that you may write there:\n  ls -ld -- " +
                     shell_quoted(database.parent_path()) + " " + shell_quoted(database));
}

void refuse(const std::filesystem::path& database, const SQLite::Exception& error) {
    switch (error.getErrorCode() & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        throw Held(cannot_use(database) +
                   "another program holds it. Nothing was changed. Wait until that program is done "
                   "and try again; this names it:\n  fuser -v " +
                   shell_quoted(database));
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_FULL: refuse_unwritable(database, error.what());
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_MISUSE:
    case SQLITE_RANGE: // our own bug, nothing about the file
        throw std::logic_error("progress database " + database.string() + ": " + error.what());
    default: refuse(database, std::string("it is damaged (") + error.what() + ")");
    }
}

} // namespace store
