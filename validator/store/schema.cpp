#include "store/schema.h"

#include <array>

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

} // namespace

std::span<const std::string_view> migrations() {
    return steps;
}

const Kind& progress_kind() {
    static const Kind kind{"progress database", "save progress", application_id, migrations()};
    return kind;
}

} // namespace store
