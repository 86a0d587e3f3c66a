#include "gradebook/schema.h"

#include <array>

namespace gradebook {
namespace {

/// Marks a SQLite file as a gradebook: the letters "engg".
constexpr std::uint32_t gradebook_id = 0x656e6767;

constexpr std::array<std::string_view, 1> gradebook_steps{R"sql(
CREATE TABLE assignment (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    document TEXT    NOT NULL,
    seed     INTEGER NOT NULL
) STRICT;
CREATE TABLE student (
    id      TEXT    PRIMARY KEY,
    name    TEXT    NOT NULL,
    email   TEXT    NOT NULL,
    section TEXT    NOT NULL,
    listed  INTEGER NOT NULL CHECK (listed IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE TABLE submission (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    student   TEXT NOT NULL REFERENCES student (id),
    digest    TEXT NOT NULL,
    source    TEXT NOT NULL,
    submitted TEXT NOT NULL,
    trouble   TEXT NOT NULL,
    UNIQUE (student, digest)
) STRICT;
CREATE TABLE source (
    hash TEXT NOT NULL,
    file TEXT NOT NULL,
    text BLOB NOT NULL,
    PRIMARY KEY (hash, file)
) STRICT, WITHOUT ROWID;
CREATE TABLE judgement (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    key        TEXT    NOT NULL UNIQUE,
    problem    TEXT    NOT NULL,
    hash       TEXT    NOT NULL,
    package    TEXT    NOT NULL,
    verdict    TEXT    NOT NULL,
    points     REAL    NOT NULL,
    max_points REAL    NOT NULL,
    seed       INTEGER NOT NULL,
    depth      TEXT    NOT NULL CHECK (depth IN ('graded', 'thorough')),
    isolation  TEXT    NOT NULL,
    engine     TEXT    NOT NULL,
    compiler   TEXT    NOT NULL,
    started    TEXT    NOT NULL,
    took_ms    INTEGER NOT NULL,
    report     TEXT    NOT NULL
) STRICT;
CREATE TABLE test (
    judgement  INTEGER NOT NULL REFERENCES judgement (id),
    number     INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    verdict    TEXT    NOT NULL,
    points     REAL    NOT NULL,
    max_points REAL    NOT NULL,
    hidden     INTEGER NOT NULL CHECK (hidden IN (0, 1)),
    PRIMARY KEY (judgement, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE mistake (
    judgement INTEGER NOT NULL REFERENCES judgement (id),
    number    INTEGER NOT NULL,
    name      TEXT    NOT NULL,
    certain   INTEGER NOT NULL CHECK (certain IN (0, 1)),
    PRIMARY KEY (judgement, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE work (
    submission INTEGER NOT NULL REFERENCES submission (id),
    problem    TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('waiting', 'judged', 'missing', 'starter', 'unclear', 'unjudged')),
    hash       TEXT    NOT NULL,
    note       TEXT    NOT NULL,
    refused    TEXT    NOT NULL,
    judgement  INTEGER REFERENCES judgement (id) CHECK ((judgement IS NOT NULL) = (state = 'judged')),
    PRIMARY KEY (submission, problem)
) STRICT, WITHOUT ROWID;
CREATE TABLE answer (
    submission INTEGER NOT NULL REFERENCES submission (id),
    problem    TEXT    NOT NULL,
    question   TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    mark       TEXT    NOT NULL CHECK (mark IN ('open', 'wrong', 'right', 'written')),
    text       TEXT    NOT NULL,
    PRIMARY KEY (submission, problem, question)
) STRICT, WITHOUT ROWID;
CREATE TABLE change (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    student TEXT NOT NULL REFERENCES student (id),
    problem TEXT NOT NULL,
    percent REAL NOT NULL CHECK (percent BETWEEN 0 AND 100),
    who     TEXT NOT NULL CHECK (who <> ''),
    why     TEXT NOT NULL CHECK (why <> ''),
    made    TEXT NOT NULL
) STRICT;
CREATE INDEX work_by_judgement ON work (judgement);
)sql"};

} // namespace

const store::Kind& gradebook_kind() {
    static const store::Kind kind{"gradebook", "save grades", gradebook_id, gradebook_steps};
    return kind;
}

} // namespace gradebook
