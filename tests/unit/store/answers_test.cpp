#include "store/store.h"

#include "unit/store/scratch.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>

using model::Standing;
using model::Verdict;

TEST_CASE("the last answer to a question counts, and all of them are tries") {
    const Scratch scratch;
    auto store = store::Store::open(scratch.database());
    store.record(judged("p", Verdict::accepted, 20), "submit-build");
    store.record_answer("p", 1, "second", {"17", {}}, Standing::wrong);
    store.record_answer("p", 1, "first", {"row", {}}, Standing::wrong);
    store.record_answer("p", 1, "first", {"column", {}}, Standing::right);
    store.record_answer("p", 1, "why", {"because", {1, 3}}, Standing::written);
    const auto found =
        store::Store::open(scratch.database()).justification("p", 1); // as another process sees it
    CHECK(found.attempt == 1);
    REQUIRE(found.questions.size() == 3);
    CHECK(found.questions[0].question == "first");
    CHECK(found.questions[0].standing == Standing::right);
    CHECK(found.questions[0].tries == 2);
    CHECK(found.questions[1].standing == Standing::wrong);
    CHECK(found.questions[1].tries == 1);
    CHECK(found.questions[2].standing == Standing::written);
    SQLite::Database raw(scratch.database().string());
    CHECK(raw.execAndGet("SELECT met FROM answer WHERE question = 'why'").getString() == "1 3");
    CHECK(raw.execAndGet("SELECT count(*) FROM answer").getInt() == 4);
}

TEST_CASE("answers belong to their problem and attempt") {
    const Scratch scratch;
    auto store = store::Store::open(scratch.database());
    CHECK_FALSE(store.last_justified("p"));
    store.record_answer("p", 1, "q", {"a", {}}, Standing::right);
    store.record_answer("p", 2, "q", {"a", {}}, Standing::wrong);
    store.record_answer("other", 5, "q", {"a", {}}, Standing::wrong);
    CHECK(store.justification("p", 1).questions.at(0).standing == Standing::right);
    CHECK(store.justification("p", 2).questions.at(0).standing == Standing::wrong);
    CHECK(store.justification("p", 3).questions.empty());
    CHECK(store.last_justified("p") == 2);
    CHECK(store.last_justified("other") == 5);
}

TEST_CASE("questions belong to the newest graded attempt that was accepted") {
    const Scratch scratch;
    auto store = store::Store::open(scratch.database());
    CHECK_FALSE(store.accepted_attempt("p"));
    store.record(judged("p", Verdict::accepted, 12, false), "test");
    store.record(judged("p", Verdict::not_implemented, 0), "submit-build");
    CHECK_FALSE(store.accepted_attempt("p"));
    store.record(judged("p", Verdict::accepted, 20), "submit-build");
    store.record(judged("p", Verdict::wrong_answer, 3), "submit-build");
    REQUIRE(store.accepted_attempt("p"));
    CHECK(store.accepted_attempt("p")->number == 3);
}

TEST_CASE("an answer is kept to the last byte, and nothing in it is taken for SQL") {
    const Scratch scratch;
    auto store = store::Store::open(scratch.database());
    const std::string text = "'); DROP TABLE answer; --\n\xff\"";
    store.record_answer("p", 1, "q", {text, {}}, Standing::written);
    SQLite::Database raw(scratch.database().string());
    CHECK(raw.execAndGet("SELECT text FROM answer").getString() == text);
}
