#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>

namespace store {

/// What the first hundred bytes of the file say, read without a lock and without replaying a journal, so that
/// a database that is not ours is recognised before SQLite could change anything about it.
struct Header {
    enum class Kind {
        empty,      ///< no bytes yet: a new database
        unfinished, ///< creation was cut short; its journal lies beside the file and SQLite will undo it
        database,   ///< a SQLite database
        other,      ///< anything else
    };
    Kind kind = Kind::other;
    std::uint32_t application_id = 0;
    std::uint32_t version = 0;
};

Header read_header(SQLite::Database& database);

} // namespace store
