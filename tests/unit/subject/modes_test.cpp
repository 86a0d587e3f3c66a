// A call leaves rounding, tiny numbers and traps as it found them, and what is not its to write, or that is
// told.
#include "bound.h"
#include "contract.h"
#include "subject/proxy.h"

#include <doctest/doctest.h>
#include <vector>

namespace subject {
#define ENGINE_NUMBER(NAME) function_##NAME,
enum FunctionNumber : std::uint32_t { EXERCISE_INTERFACE(ENGINE_NUMBER) function_count };
#undef ENGINE_NUMBER
constexpr Proxy<decltype(exercise::third)> third{function_third, "third"};
constexpr Proxy<decltype(exercise::half)> half{function_half, "half"};
constexpr Proxy<decltype(exercise::nearest_third)> nearest_third{function_nearest_third, "nearest_third"};
constexpr Proxy<decltype(exercise::touch)> touch{function_touch, "touch"};
} // namespace subject

using Lines = std::vector<std::string>;

TEST_CASE_FIXTURE(Bound, "modes of arithmetic that are left changed are told, once, and set back") {
    const float down = subject::third(true, false);
    CHECK(down < subject::half(2.0F / 3));
    CHECK(listener.heard == Lines{"modes third"});
    CHECK_THROWS_AS(subject::third(true, true), subject::LearnerThrew);
    CHECK(listener.heard == Lines{"modes third", "modes third"});
    listener.heard.clear();
    CHECK(subject::third(false, false) == down); // raised an exception, which anybody may
    CHECK(listener.heard.empty());
}

TEST_CASE_FIXTURE(Bound,
                  "a mode that is set to what most callers have shows where the caller has another one") {
    subject::nearest_third(1);
    CHECK(listener.heard.empty());
    session().round_upward(true);
    subject::half(1);
    CHECK(listener.heard.empty());
    subject::nearest_third(1);
    CHECK(listener.heard == Lines{"modes nearest_third"});
    session().round_upward(false);
    subject::nearest_third(1);
    CHECK(listener.heard.size() == 1);
}

TEST_CASE_FIXTURE(Bound, "what is written and brought back shows where nothing is the call's to write") {
    std::vector<float> values(3, 5);
    subject::touch(values, true);
    CHECK(listener.heard.empty());
    for (int twice = 0; twice < 2; ++twice) {
        listener.heard.clear();
        session().keep_arguments(true);
        subject::touch(values, false);
        CHECK(listener.heard.empty());
        subject::touch(values, true);
        CHECK(listener.heard == Lines{"kept touch"});
        session().keep_arguments(false);
        subject::touch(values, true);
        CHECK(listener.heard.size() == 1);
    }
    CHECK(values == std::vector<float>(3, 5));
}
