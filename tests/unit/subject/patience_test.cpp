// A call may take so long as the limit says, or so many times that.
#include "bound.h"
#include "contract.h"
#include "subject/proxy.h"

#include <chrono>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <memory>

namespace subject {
#define ENGINE_NUMBER(NAME) function_##NAME,
enum FunctionNumber : std::uint32_t { EXERCISE_INTERFACE(ENGINE_NUMBER) function_count };
#undef ENGINE_NUMBER
constexpr Proxy<decltype(exercise::sleep_for)> sleep_for{function_sleep_for, "sleep_for"};
constexpr Proxy<decltype(exercise::loop_for_ever)> loop_for_ever{function_loop_for_ever, "loop_for_ever"};
constexpr Proxy<decltype(exercise::add)> add{function_add, "add"};
} // namespace subject

namespace {

struct Impatient : Bound {
    Impatient() : Bound(FIXTURE_WORKER, model::Check::none, true, std::chrono::milliseconds(500)) {}
};

/// Calls whose workers have so much time together.
struct Budgeted {
    explicit Budgeted(std::chrono::nanoseconds total, int slowdown = 1)
        : program(open(FIXTURE_WORKER, O_RDONLY | O_CLOEXEC)) {
        subject::WorkerProgram worker;
        worker.fd = program.get();
        worker.limits.wall = std::chrono::seconds(30);
        worker.budget = std::make_shared<subject::Budget>(spent.fd(), total, slowdown);
        session().bind(worker, true, listener);
        session().begin_case();
    }
    Budgeted(const Budgeted&) = delete;
    Budgeted& operator=(const Budgeted&) = delete;
    ~Budgeted() { session().unbind(); }

    static subject::Session& session() { return subject::Session::current(); }

    sys::Fd program;
    sys::SharedTime spent;
    Listening listener;
};

} // namespace

TEST_CASE_FIXTURE(Impatient,
                  "a call that is allowed more times the limit has that, until the next is told otherwise") {
    subject::Session& session = subject::Session::current();
    constexpr int too_long = 700;
    CHECK_THROWS_AS(subject::sleep_for(too_long), subject::CallLost);
    CHECK(listener.death.fate == subject::Fate::timed_out);
    CHECK(listener.death.out_of_time == subject::OutOfTime::sleeping);
    CHECK(listener.death.limit == std::chrono::milliseconds(500));
    next_case();
    session.allow(20);
    CHECK_NOTHROW(subject::sleep_for(too_long));
    next_case();
    CHECK_NOTHROW(subject::sleep_for(too_long));
    session.allow(1);
    CHECK_THROWS_AS(subject::sleep_for(too_long), subject::CallLost);
    next_case();
    session.allow(2);
    CHECK_THROWS_AS(subject::sleep_for(2 * too_long), subject::CallLost);
    CHECK(listener.death.limit == std::chrono::milliseconds(1000));
}

TEST_CASE_FIXTURE(Impatient, "a call that computes is told from one that sleeps") {
    CHECK_THROWS_AS(subject::loop_for_ever(), subject::CallLost);
    CHECK(listener.death.fate == subject::Fate::timed_out);
    CHECK(listener.death.out_of_time == subject::OutOfTime::computing);
}

TEST_CASE("calls that sleep, each within its limit, use up what all have together") {
    Budgeted bound(std::chrono::milliseconds(500));
    int calls = 0;
    try {
        for (; calls < 100; ++calls)
            subject::sleep_for(100);
    } catch (const subject::CallLost&) {
    }
    CHECK(calls >= 4);
    CHECK(calls < 100);
    CHECK(bound.listener.death.out_of_time == subject::OutOfTime::budget);
    CHECK(bound.listener.death.limit == std::chrono::milliseconds(500));
    CHECK(bound.session().out_of_budget());
    // No further case gets anything.
    bound.session().end_case();
    bound.session().begin_case();
    CHECK_THROWS_AS(subject::add(1, 2), subject::CallLost);
}

TEST_CASE("a call that computes is ended by what all have together before its own limit") {
    Budgeted bound(std::chrono::milliseconds(300));
    CHECK_THROWS_AS(subject::loop_for_ever(), subject::CallLost);
    CHECK(bound.listener.death.out_of_time == subject::OutOfTime::budget);
    CHECK(bound.spent.total() >= std::chrono::milliseconds(300));
}

TEST_CASE("what a worker computed counts once it is gone, in a slower build for less") {
    for (const int slowdown : {1, 1'000'000}) {
        Budgeted bound(std::chrono::hours(1), slowdown);
        CHECK(subject::add(1, 2) == 3);
        bound.session().unbind();
        CHECK((bound.spent.total() < std::chrono::microseconds(10)) == (slowdown > 1));
    }
}
