#include "system/time_limit.h"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using model::OutOfTime;

namespace {

/// A process whose time is told by the test, as is the clock's.
struct Invented : sys::TimeSource {
    std::optional<std::chrono::nanoseconds> cpu() const override { return cpu_time; }
    std::optional<sys::ThreadsSeen> threads() const override { return seen; }

    std::optional<std::chrono::nanoseconds> cpu_time = 0ns;
    std::optional<sys::ThreadsSeen> seen = sys::ThreadsSeen{false, 1, 0ns};
};

/// A call with a limit of a second, and the process that makes it.
struct Call {
    /// Whatever `step` makes of the process in so much time, until the time is over.
    template <class Step>
    std::optional<OutOfTime> run(Step step) {
        while (!limit.over() && now - start < 30s) {
            const auto before = now;
            now = limit.next_look();
            step(process, now - before);
            limit.look(now, &process);
        }
        return limit.over();
    }

    Invented process;
    const sys::TimeLimit::Clock::time_point start{};
    sys::TimeLimit::Clock::time_point now = start;
    sys::TimeLimit limit{1s, start};
};

} // namespace

TEST_CASE("what computes all the time has used it up at the limit") {
    Call call;
    call.process.seen->ready = true;
    const auto why = call.run([](Invented& process, auto time) { *process.cpu_time += time; });
    CHECK(why == OutOfTime::computing);
    CHECK(call.now - call.start >= 1s);
    CHECK(call.now - call.start <= 1050ms);
}

TEST_CASE("what sleeps is over at the limit too, and is told apart") {
    Call call;
    CHECK(call.run([](Invented&, auto) {}) == OutOfTime::sleeping);
    CHECK(call.now - call.start >= 1s);
    CHECK(call.now - call.start <= 1100ms);
    CHECK(call.limit.slept() >= 1s);
}

TEST_CASE("what wakes up again and again to look whether it may go on sleeps") {
    Call call;
    CHECK(call.run([](Invented& process, auto time) { *process.cpu_time += time / 50; }) ==
          OutOfTime::sleeping);
    CHECK(call.now - call.start <= 1100ms);
}

TEST_CASE("threads that compute at the same time use up their time together") {
    Call call;
    const auto why = call.run([](Invented& process, auto time) { *process.cpu_time += 4 * time; });
    CHECK(why == OutOfTime::computing);
    CHECK(call.now - call.start <= 350ms);
}

TEST_CASE("time in which other programs have the cores is not the process's") {
    Call call;
    call.process.seen->ready = true;
    const auto a_fifth = [](Invented& process, auto time) { *process.cpu_time += time / 5; };
    CHECK(call.run(a_fifth) == OutOfTime::computing);
    CHECK(call.now - call.start >= 5s);
    CHECK(call.limit.slept() == 0s);
}

TEST_CASE("what had waited for a core between two looks, and now sleeps, has not slept meanwhile") {
    Call call;
    const auto waits = [](Invented& process, auto time) {
        *process.cpu_time += time / 8;
        *process.seen->waited += time * 7 / 8;
    };
    CHECK(call.run(waits) == OutOfTime::computing);
    CHECK(call.limit.slept() < 1ms);
}

TEST_CASE("where threads have come and gone, or nobody counts what they waited, no sleep is proven") {
    for (const bool counted : {true, false}) {
        Call call;
        if (!counted) call.process.seen->waited.reset();
        const auto why = call.run([&](Invented& process, auto time) {
            *process.cpu_time += time / 20;
            if (counted) ++process.seen->who;
        });
        CHECK(why == OutOfTime::crowded);
        CHECK(call.limit.slept() == 0s);
    }
}

TEST_CASE("where nobody counts, what uses no CPU time at all and is not ready still sleeps") {
    Call call;
    call.process.seen->waited.reset();
    CHECK(call.run([](Invented&, auto) {}) == OutOfTime::sleeping);
}

TEST_CASE("what hardly ever gets a core is ended at ten times the limit") {
    Call call;
    call.process.seen->ready = true;
    const auto why = call.run([](Invented& process, auto time) { *process.cpu_time += time / 100; });
    CHECK(why == OutOfTime::crowded);
    CHECK(call.now - call.start >= 10s);
    CHECK(call.now - call.start <= 10100ms);
}

TEST_CASE("where only the wall clock is known it limits") {
    Call call;
    call.process.cpu_time.reset();
    CHECK(call.run([](Invented&, auto) {}) == OutOfTime::unknown);
    CHECK(call.now - call.start <= 1050ms);
    sys::TimeLimit limit(1s, call.start);
    limit.look(call.start + 999ms, nullptr);
    CHECK_FALSE(limit.over());
    limit.look(call.start + 1s, nullptr);
    CHECK(limit.over() == OutOfTime::unknown);
}

TEST_CASE("before the first look nothing is looked at, and looks become rarer") {
    sys::TimeLimit limit(1s, {});
    CHECK(limit.next_look().time_since_epoch() == 2ms);
    limit.look(limit.next_look(), nullptr);
    CHECK(limit.next_look().time_since_epoch() == 6ms);
    CHECK(sys::TimeLimit(1ms, {}).next_look().time_since_epoch() == 1ms);
}
