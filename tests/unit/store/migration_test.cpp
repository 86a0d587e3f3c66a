#include "store/migrate.h"
#include "store/schema.h"
#include "store/store.h"

#include "unit/store/scratch.h"

#include <doctest/doctest.h>

#include <array>

namespace {

SQLite::Database raw(const Scratch& scratch) {
    return {(scratch.folder() / "raw.db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
}

int version(SQLite::Database& database) {
    return database.execAndGet("PRAGMA user_version").getInt();
}

} // namespace

TEST_CASE("a database of an older version is led step by step to the newest and keeps its rows") {
    const Scratch scratch;
    auto database = raw(scratch);
    constexpr std::array<std::string_view, 3> steps{"CREATE TABLE t (a); INSERT INTO t VALUES (5)",
                                                    "ALTER TABLE t ADD COLUMN b", "UPDATE t SET b = a + 1"};
    CHECK(store::migrate(database, std::span(steps).first(1), store::application_id) == 0);
    CHECK(version(database) == 1);
    CHECK(store::migrate(database, steps, store::application_id) == 1);
    CHECK(version(database) == 3);
    CHECK(database.execAndGet("SELECT b FROM t").getInt() == 6);
    // Taken again, the last step would change nothing, but the first would throw.
    CHECK(store::migrate(database, steps, store::application_id) == 3);
    CHECK(version(database) == 3);
}

TEST_CASE("a step that fails takes the whole migration back") {
    const Scratch scratch;
    auto database = raw(scratch);
    constexpr std::array<std::string_view, 3> steps{"CREATE TABLE t (a)", "ALTER TABLE t ADD COLUMN b",
                                                    "nonsense"};
    store::migrate(database, std::span(steps).first(1), store::application_id);
    CHECK_THROWS_AS(store::migrate(database, steps, store::application_id), SQLite::Exception);
    CHECK(version(database) == 1);
    CHECK_FALSE(database.tableExists("nonsense"));
    CHECK_THROWS_AS(database.exec("SELECT b FROM t"), SQLite::Exception);
}

TEST_CASE("the tables hold answers to questions for the justify stage") {
    const Scratch scratch;
    store::Store::open(scratch.database());
    SQLite::Database database(scratch.database().string(), SQLite::OPEN_READWRITE);
    database.exec("INSERT INTO answer (problem, attempt, question, text, met, mark) "
                  "VALUES ('p', 1, 'q', 'b', '', 'right')");
    CHECK(database.execAndGet("SELECT answered LIKE '2___-__-__T__:__:__Z' FROM answer").getInt() == 1);
    CHECK_THROWS_AS(database.exec("INSERT INTO stage (problem, stage) VALUES ('p', 'unknown')"),
                    SQLite::Exception);
}

TEST_CASE("a database of version 1 keeps its attempts and says what it was") {
    const Scratch scratch;
    {
        std::filesystem::create_directories(scratch.database().parent_path());
        SQLite::Database database(scratch.database().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        store::migrate(database, store::migrations().first(1), store::application_id);
        database.exec(
            "INSERT INTO attempt VALUES (1, 'p', 1, '2026-01-31T12:00:00Z', 'submit-build', 1, 'accepted', "
            "20, 20, 7)");
    }
    auto opened = store::Store::open(scratch.database());
    CHECK(opened.migrated_from() == 1);
    REQUIRE(opened.accepted_attempt("p"));
    CHECK(opened.accepted_attempt("p")->seed == 7);
    opened.record_answer("p", 1, "q", {"b", {}}, model::Standing::right);
    CHECK(opened.justification("p", 1).questions.size() == 1);
}

TEST_CASE("a database of version 2 keeps its answers, and holds what is handed out from then on") {
    const Scratch scratch;
    {
        std::filesystem::create_directories(scratch.database().parent_path());
        SQLite::Database database(scratch.database().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        store::migrate(database, store::migrations().first(2), store::application_id);
        database.exec("INSERT INTO answer (problem, attempt, question, text, met, mark) "
                      "VALUES ('p', 1, 'q', 'b', '', 'right')");
    }
    auto opened = store::Store::open(scratch.database());
    CHECK(opened.migrated_from() == 2);
    CHECK(opened.justification("p", 1).questions.size() == 1);
    opened.record_plant("p", {"lookup.cpp", "int wrong;", "I got 2.", false, {}});
    CHECK(opened.plants("p").size() == 1);
}

TEST_CASE("the mark and the version are in the file") {
    const Scratch scratch;
    store::Store::open(scratch.database());
    const auto bytes = bytes_of(scratch.database());
    REQUIRE(bytes.size() > 100);
    CHECK(bytes.substr(68, 4) == "engn");
    CHECK(bytes.substr(60, 4) == std::string("\0\0\0\3", 4));
}
