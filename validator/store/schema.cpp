#include "store/schema.h"

#include <array>
#include <string>

namespace store {
namespace {

// Best scores are not stored: they follow from the attempts. Nothing was ever written to the first `answer`.
constexpr std::array<std::string_view, 3> steps{R"sql(
CREATE TABLE attempt (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    problem    TEXT    NOT NULL,
    number     INTEGER NOT NULL,
    started    TEXT    NOT NULL,
    command    TEXT    NOT NULL,
    graded     INTEGER NOT NULL CHECK (graded IN (0, 1)),
    verdict    TEXT    NOT NULL,
    points     REAL    NOT NULL,
    max_points REAL    NOT NULL,
    seed       INTEGER NOT NULL,
    UNIQUE (problem, number)
) STRICT;
CREATE TABLE hint (
    problem TEXT    NOT NULL,
    rung    INTEGER NOT NULL CHECK (rung > 0),
    seen    TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    PRIMARY KEY (problem, rung)
) STRICT, WITHOUT ROWID;
CREATE TABLE stage (
    problem TEXT NOT NULL,
    stage   TEXT NOT NULL CHECK (stage IN ('build', 'justify', 'harden')),
    reached TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    PRIMARY KEY (problem, stage)
) STRICT, WITHOUT ROWID;
CREATE TABLE answer (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    problem  TEXT    NOT NULL,
    question TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    correct  INTEGER NOT NULL CHECK (correct IN (0, 1)),
    credit   REAL    NOT NULL,
    answered TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
CREATE INDEX answer_by_question ON answer (problem, question);
)sql",
                                                R"sql(
DROP TABLE answer;
CREATE TABLE answer (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    problem  TEXT    NOT NULL,
    attempt  INTEGER NOT NULL,
    question TEXT    NOT NULL,
    text     TEXT    NOT NULL,
    met      TEXT    NOT NULL,
    mark     TEXT    NOT NULL CHECK (mark IN ('wrong', 'right', 'written')),
    answered TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
CREATE INDEX answer_by_attempt ON answer (problem, attempt, question);
)sql",
                                                R"sql(
CREATE TABLE plant (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    problem  TEXT NOT NULL,
    file     TEXT NOT NULL,
    text     TEXT NOT NULL,
    symptom  TEXT NOT NULL,
    planted  TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    repaired TEXT
) STRICT;
CREATE INDEX plant_by_problem ON plant (problem);
)sql"};

std::size_t version(SQLite::Database& database) {
    return static_cast<std::uint32_t>(database.execAndGet("PRAGMA user_version").getInt());
}

} // namespace

std::span<const std::string_view> migrations() {
    return steps;
}

std::size_t migrate(SQLite::Database& database, std::span<const std::string_view> steps_to_take) {
    if (const std::size_t found = version(database); found >= steps_to_take.size()) return found;
    // The write lock first, then look again: another process may have migrated while we waited for it.
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    const std::size_t found = version(database);
    for (std::size_t step = found; step < steps_to_take.size(); ++step)
        database.exec(std::string(steps_to_take[step]));
    database.exec("PRAGMA application_id = " + std::to_string(application_id));
    database.exec("PRAGMA user_version = " + std::to_string(steps_to_take.size()));
    transaction.commit();
    return found;
}

} // namespace store
