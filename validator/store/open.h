#pragma once

#include "store/failure.h"
#include "store/kind.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <memory>
#include <optional>

namespace store {

struct Opened {
    std::unique_ptr<SQLite::Database> database;
    /// The older version that was found and brought up to date; nothing for a new database and for one that
    /// had this engine's version.
    std::optional<std::size_t> migrated_from;
};

/// The file as messages name it: by its whole path.
File whole_path(const std::filesystem::path& database, const Kind& kind);

/// Opens the file, or creates it and its folder. A file that is of another kind, damaged, or written by a
/// newer engine is left exactly as it is, and the EnvironmentError says how to recover. A file that may only
/// be read opens well and answers questions; writing to it throws. Throws `Unwritable` and `Held` as well.
Opened open_database(const File& file);

/// What `work` returns; SQLite's errors become `Unwritable`, `Held` or model::EnvironmentError.
template <typename Work>
auto guarded(const File& file, Work work) {
    try {
        return work();
    } catch (const SQLite::Exception& error) {
        refuse(file, error);
    }
}

} // namespace store
