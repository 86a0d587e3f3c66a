// A call leaves rounding, tiny numbers and traps as it found them, or that is told.
#include "bound.h"
#include "contract.h"
#include "subject/proxy.h"

#include <doctest/doctest.h>

namespace subject {
#define ENGINE_NUMBER(NAME) function_##NAME,
enum FunctionNumber : std::uint32_t { EXERCISE_INTERFACE(ENGINE_NUMBER) function_count };
#undef ENGINE_NUMBER
constexpr Proxy<decltype(exercise::third)> third{function_third, "third"};
constexpr Proxy<decltype(exercise::half)> half{function_half, "half"};
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
