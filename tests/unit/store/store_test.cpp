#include "store/store.h"

#include "unit/store/scratch.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>

using model::Verdict;
using store::Stage;
using store::Store;

TEST_CASE("a recorded attempt reads back the same after reopening") {
    const Scratch scratch;
    auto judgement = judged("token-lookup", Verdict::wrong_answer, 12.5);
    judgement.seed = UINT64_MAX - 3;
    CHECK(Store::open(scratch.database()).record(judgement, "submit-build") == 1);

    const auto attempts = Store::open(scratch.database()).attempts("token-lookup", 10);
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0].number == 1);
    CHECK(attempts[0].problem == "token-lookup");
    CHECK(attempts[0].started == "2026-01-31T12:00:00Z");
    CHECK(attempts[0].command == "submit-build");
    CHECK(attempts[0].graded);
    CHECK(attempts[0].verdict == Verdict::wrong_answer);
    CHECK(attempts[0].points == 12.5);
    CHECK(attempts[0].max_points == 20);
    CHECK(attempts[0].seed == UINT64_MAX - 3);
}

TEST_CASE("every verdict survives the round trip") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    for (int i = 0; i <= static_cast<int>(Verdict::skipped); ++i) {
        store.record(judged("p", static_cast<Verdict>(i), 0), "test");
        CHECK(store.attempts("p", 1).at(0).verdict == static_cast<Verdict>(i));
    }
}

TEST_CASE("attempts count within their problem and come newest first, no more than asked for") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    CHECK(store.record(judged("a", Verdict::compile_error, 0), "test") == 1);
    CHECK(store.record(judged("b", Verdict::compile_error, 0), "test") == 1);
    CHECK(store.record(judged("a", Verdict::wrong_answer, 3), "test") == 2);
    CHECK(store.record(judged("a", Verdict::accepted, 20), "test") == 3);

    const auto attempts = store.attempts("a", 2);
    REQUIRE(attempts.size() == 2);
    CHECK(attempts[0].number == 3);
    CHECK(attempts[1].number == 2);
    CHECK(store.attempts("a", SIZE_MAX).size() == 3);
    CHECK(store.attempts("a", 0).empty());
    CHECK(store.attempts("never-tried", 5).empty());
}

TEST_CASE("progress keeps the best graded run, and only graded runs are accepted") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    store.record(judged("p", Verdict::accepted, 13, false), "test");
    CHECK_FALSE(store.progress("p").accepted);
    CHECK(store.progress("p").best_points == 0);
    CHECK(store.progress("p").max_points == 0);
    CHECK(store.stages("p").empty());

    auto last = judged("p", Verdict::wrong_answer, 4);
    last.started = "2026-02-01T08:00:00Z";
    store.record(judged("p", Verdict::wrong_answer, 9), "submit-build");
    store.record(last, "submit-build");
    const auto before = store.progress("p");
    CHECK_FALSE(before.accepted);
    CHECK(before.best_points == 9);
    CHECK(before.max_points == 20);
    CHECK(before.attempts == 3);
    CHECK(before.last_tried == "2026-02-01T08:00:00Z");

    store.record(judged("p", Verdict::accepted, 20), "submit-build");
    store.record(judged("p", Verdict::wrong_answer, 1), "submit-build");
    CHECK(store.progress("p").accepted);
    CHECK(store.progress("p").best_points == 20);
    CHECK(store.stages("p") == std::vector{Stage::build});
}

TEST_CASE("a run that could not be judged counts nowhere but stays in the list") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    store.record(judged("p", Verdict::judge_error, 20), "submit-build");
    const auto progress = store.progress("p");
    CHECK(progress.attempts == 0);
    CHECK(progress.best_points == 0);
    CHECK(progress.last_tried.empty());
    CHECK(store.attempts("p", 5).size() == 1);
}

TEST_CASE("a rung counts once however often it is read") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    store.record_hint("p", 1);
    store.record_hint("p", 2);
    store.record_hint("p", 2);
    store.record_hint("q", 1);
    CHECK(store.progress("p").hints_used == 2);
    CHECK(store.progress("p").attempts == 0);
    CHECK(Store::open(scratch.database()).progress("q").hints_used == 1);
}

TEST_CASE("stages come in their order, each once, each problem for itself") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    store.reach("p", Stage::harden);
    store.reach("p", Stage::build);
    store.reach("p", Stage::build);
    CHECK(store.stages("p") == std::vector{Stage::build, Stage::harden});
    CHECK(store.stages("q").empty());
}

TEST_CASE("progress lists what was touched, by id, and answers zero for the rest") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    CHECK(store.progress().empty());
    store.record(judged("b", Verdict::wrong_answer, 2), "submit-build");
    store.record_hint("a", 1);
    const auto all = store.progress();
    REQUIRE(all.size() == 2);
    CHECK(all[0].problem == "a");
    CHECK(all[0].hints_used == 1);
    CHECK(all[1].problem == "b");
    CHECK(all[1].attempts == 1);
    const auto untouched = store.progress("c");
    CHECK(untouched.problem == "c");
    CHECK(untouched.attempts == 0);
    CHECK_FALSE(untouched.accepted);
}

TEST_CASE("a path with spaces, quotes and other alphabets works, and nothing is left beside the file") {
    const Scratch scratch;
    const auto database = scratch.folder() / "Müller's 語 folder" / "50% ? #1" / "progress.db";
    Store::open(database).record(judged("p", Verdict::accepted, 20), "submit-build");
    CHECK(Store::open(database).progress("p").accepted);
    const auto files = std::distance(std::filesystem::directory_iterator(database.parent_path()), {});
    CHECK(files == 1);
}

TEST_CASE("a folder behind a symbolic link works") {
    const Scratch scratch;
    std::filesystem::create_directory(scratch.folder() / "elsewhere");
    std::filesystem::create_directory_symlink(scratch.folder() / "elsewhere", scratch.folder() / ".engine");
    Store::open(scratch.database()).record(judged("p", Verdict::accepted, 20), "submit-build");
    CHECK(std::filesystem::exists(scratch.folder() / "elsewhere" / "progress.db"));
    CHECK(Store::open(scratch.database()).progress("p").attempts == 1);
}

TEST_CASE("a problem id is data, never SQL") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    const std::string id = "p'); DROP TABLE attempt; --";
    store.record(judged(id, Verdict::accepted, 20), "submit-build");
    CHECK(store.progress(id).attempts == 1);
}

TEST_CASE("points that are no number are our bug, not damage, and nothing is recorded") {
    const Scratch scratch;
    auto store = Store::open(scratch.database());
    CHECK_THROWS_AS(store.record(judged("p", Verdict::accepted, std::nan("")), "test"), std::logic_error);
    CHECK(store.progress().empty());
    CHECK(store.record(judged("p", Verdict::accepted, 20), "test") == 1);
}
