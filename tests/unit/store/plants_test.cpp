#include "store/store.h"

#include "unit/store/scratch.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>

using model::Verdict;
using store::Stage;
using store::Store;

namespace {

const store::Plant plant{"lookup.cpp", "int wrong;\n", "I got 2.", false, {}};

std::uint64_t fix(Store& store, Verdict verdict, bool graded = true) {
    return store.record(judged("p", verdict, 20, graded), store::fix_command);
}

} // namespace

TEST_CASE("what was handed out reads back the same after reopening, newest first") {
    const Scratch scratch;
    {
        auto store = Store::open(scratch.database());
        CHECK(store.plants("p").empty());
        store.record_plant("p", plant);
        store.record_plant("p", {"lookup.cpp", std::string("second\0text", 11), "again", false, {}});
        store.record_plant("other", plant);
    }
    const auto plants = Store::open(scratch.database()).plants("p");
    REQUIRE(plants.size() == 2);
    CHECK(plants[0].text == std::string("second\0text", 11));
    CHECK(plants[1].file == "lookup.cpp");
    CHECK(plants[1].text == "int wrong;\n");
    CHECK(plants[1].symptom == "I got 2.");
    CHECK_FALSE(plants[1].repaired);
    CHECK(plants[1].planted.size() == std::string("2026-01-31T12:00:00Z").size());
}

TEST_CASE("an accepted repair of what was handed out reaches the stage harden") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    store.record_plant("p", plant);
    fix(store, Verdict::wrong_answer);
    fix(store, Verdict::accepted, false);
    CHECK(store.stages("p").empty());
    CHECK_FALSE(store.plants("p").front().repaired);
    fix(store, Verdict::accepted);
    CHECK(store.stages("p") == std::vector{Stage::harden});
    CHECK(store.plants("p").front().repaired);
}

TEST_CASE("a repair where nothing was handed out reaches nothing") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    store.record_plant("other", plant);
    fix(store, Verdict::accepted);
    CHECK(store.stages("p").empty());
    CHECK(store.stages("other").empty());
}

TEST_CASE("a repair is an attempt, and says nothing of the learner's own build") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    store.record_plant("p", plant);
    CHECK(fix(store, Verdict::accepted) == 1);
    CHECK_FALSE(store.progress("p").accepted);
    CHECK(store.progress("p").best_points == 0);
    CHECK(store.progress("p").attempts == 1);
    CHECK_FALSE(store.accepted_attempt("p"));
    store.record(judged("p", Verdict::accepted, 20), "submit-build");
    fix(store, Verdict::accepted);
    CHECK(store.accepted_attempt("p")->number == 2); // whose questions are asked
}

TEST_CASE("the database says nowhere what was changed") {
    const Scratch scratch;
    Store::open(scratch.database()).record_plant("p", plant);
    SQLite::Database raw(scratch.database().string());
    SQLite::Statement columns(raw, "SELECT group_concat(name) FROM pragma_table_info('plant')");
    columns.executeStep();
    CHECK(columns.getColumn(0).getString() == "id,problem,file,text,symptom,planted,repaired");
}
