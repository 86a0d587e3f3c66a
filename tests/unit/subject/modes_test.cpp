// A call leaves rounding, tiny numbers and traps as it found them, and what is not its to write, or that is
// told.
#include "bound.h"
#include "contract.h"
#include "subject/proxy.h"

#include <doctest/doctest.h>
#include <memory>
#include <span>
#include <vector>

namespace subject {
#define ENGINE_NUMBER(NAME) function_##NAME,
enum FunctionNumber : std::uint32_t { EXERCISE_INTERFACE(ENGINE_NUMBER) function_count };
#undef ENGINE_NUMBER
constexpr Proxy<decltype(exercise::third)> third{function_third, "third"};
constexpr Proxy<decltype(exercise::half)> half{function_half, "half"};
constexpr Proxy<decltype(exercise::nearest_third)> nearest_third{function_nearest_third, "nearest_third"};
constexpr Proxy<decltype(exercise::touch)> touch{function_touch, "touch"};
constexpr Proxy<decltype(exercise::borrow)> borrow{function_borrow, "borrow"};
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
    subject::touch(values, 0, 3);
    CHECK(listener.heard.empty());
    for (int twice = 0; twice < 2; ++twice) {
        listener.heard.clear();
        session().keep(subject::Kept::arguments);
        subject::touch(values, 0, 0);
        CHECK(listener.heard.empty());
        subject::touch(values, 0, 3);
        CHECK(listener.heard == Lines{"kept touch"});
        session().keep(subject::Kept::nothing);
        subject::touch(values, 0, 3);
        CHECK(listener.heard.size() == 1);
    }
    CHECK(values == std::vector<float>(3, 5));
}

TEST_CASE_FIXTURE(Bound, "an input that is written to and brought back shows, and an output does not") {
    std::vector<float> values(3, 5);
    subject::borrow(values, true);
    CHECK(listener.heard.empty());
    session().keep(subject::Kept::inputs);
    subject::borrow(values, false);
    subject::touch(values, 0, 3);
    CHECK(listener.heard.empty());
    subject::borrow(values, true);
    CHECK(listener.heard == Lines{"kept borrow"});
}

TEST_CASE_FIXTURE(Bound,
                  "what is written to a gap and brought back shows, and what lies around it does not") {
    constexpr std::size_t in_page = subject::page / sizeof(float);
    struct alignas(subject::page) Pages {
        float values[5 * in_page] = {};
    };
    const auto pages = std::make_unique<Pages>();
    const std::span values(pages->values);
    const auto* second_page = reinterpret_cast<const std::byte*>(pages->values + in_page);
    session().keep(
        subject::Gaps{.first = second_page, .bytes = subject::page, .step = 2 * subject::page, .count = 2});
    for (const std::size_t page : {0, 2, 4})
        subject::touch(values, page * in_page, (page + 1) * in_page);
    CHECK(listener.heard.empty());
    for (const std::size_t at : {in_page, 2 * in_page - 1, 3 * in_page, 4 * in_page - 1}) {
        listener.heard.clear();
        subject::touch(values, at, at + 1);
        CHECK(listener.heard == Lines{"kept touch"});
    }
}
