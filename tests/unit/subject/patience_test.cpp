// A call may take so long as the limit says, or so many times that.
#include "bound.h"
#include "contract.h"
#include "subject/proxy.h"

#include <doctest/doctest.h>

namespace subject {
#define ENGINE_NUMBER(NAME) function_##NAME,
enum FunctionNumber : std::uint32_t { EXERCISE_INTERFACE(ENGINE_NUMBER) function_count };
#undef ENGINE_NUMBER
constexpr Proxy<decltype(exercise::sleep_for)> sleep_for{function_sleep_for, "sleep_for"};
} // namespace subject

namespace {

struct Impatient : Bound {
    Impatient() : Bound(FIXTURE_WORKER, model::Check::none, true, std::chrono::milliseconds(500)) {}
};

} // namespace

TEST_CASE_FIXTURE(Impatient,
                  "a call that is allowed more times the limit has that, until the next is told otherwise") {
    subject::Session& session = subject::Session::current();
    constexpr int too_long = 700;
    CHECK_THROWS_AS(subject::sleep_for(too_long), subject::CallLost);
    CHECK(listener.death.fate == subject::Fate::timed_out);
    CHECK(listener.death.wall == std::chrono::milliseconds(500));
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
    CHECK(listener.death.wall == std::chrono::milliseconds(1000));
}
