#include "harness/adversity/commands.h"

#include "harness/expect.h"

#include <doctest/doctest.h>

using namespace harness;

namespace {

/// A counter that counts to `wraps_at` and then forgets everything; its model never does.
struct Counters {
    int wraps_at = 1'000'000;
    int counter = 0;
    int model = 0;
    int steps = 0;
};

std::string add_one(Counters& pair, Random&) {
    ++pair.steps;
    ++pair.model;
    if (++pair.counter == pair.wraps_at) pair.counter = 0;
    return "adding one";
}
std::string reset(Counters& pair, Random&) {
    ++pair.steps;
    pair.model = pair.counter = 0;
    return "a reset";
}

std::vector<Finding> run(Counters& pair, std::vector<Command<Counters>> commands) {
    Recorder::current().begin_case("a case");
    Random random(3);
    run_commands<Counters>(
        pair, commands, [](Counters& both) { expect_equal("the count", both.counter, both.model); }, 50,
        random);
    return Recorder::current().end_case();
}

} // namespace

TEST_CASE("an object that follows its model is asked after every command and nothing is found") {
    Counters right;
    CHECK(run(right, {add_one, reset}).empty());
    CHECK(right.steps == 50);
}

TEST_CASE("an object that leaves its model is found at that step, with what came before") {
    Counters wrong{.wraps_at = 3};
    const std::vector<Finding> findings = run(wrong, {add_one});
    REQUIRE(findings.size() == 1);
    CHECK(findings.front().context == "after adding one, then adding one; then adding one");
    CHECK(wrong.steps == 3);
}

TEST_CASE("how an object differs is told by what came before, over all objects of a case") {
    // Adding fails where a reset has been refused before.
    struct Refusing {
        bool refused = false, wrong = false;
    };
    const auto refuse = [](Refusing& pair, Random&) {
        pair.refused = true;
        return std::string("a refused reset");
    };
    const auto reset_to = [](Refusing&, Random& random) {
        return "reset to " + std::to_string(random.size(1, 9));
    };
    const auto add = [](Refusing& pair, Random&) {
        pair.wrong = pair.refused;
        return std::string("add");
    };
    Recorder& recorder = Recorder::current();
    recorder.begin_case("a case");
    recorder.take_what_failures_share();
    Random random(3);
    for (int object = 0; object < 12; ++object) {
        Refusing pair;
        run_commands<Refusing>(
            pair, {refuse, reset_to, reset_to, add},
            [](Refusing& both) { expect_true("the sum is right", !both.wrong, "the sum is wrong"); }, 8,
            random);
    }
    CHECK(recorder.end_case().size() == 1);
    CHECK(recorder.take_what_failures_share()["add"] ==
          "only if `a refused reset` came before: the sum is wrong");
}
