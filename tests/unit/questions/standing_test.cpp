#include "questions/standing.h"

#include "unit/questions/examples.h"

#include <doctest/doctest.h>

using model::Standing;

TEST_CASE("every question has a place, those without an answer are open, and what is asked no more is gone") {
    const model::Justification answered{3,
                                        {{"offset", Standing::wrong, 2},
                                         {"no-more", Standing::right, 1},
                                         {"fourth-row", Standing::right, 1}}};
    const auto all =
        questions::justification({examples::choice(), examples::text(), examples::number()}, answered);
    CHECK(all.attempt == 3);
    REQUIRE(all.questions.size() == 3);
    CHECK(all.questions[0].standing == Standing::right);
    CHECK(all.questions[1].standing == Standing::open);
    CHECK(all.questions[1].tries == 0);
    CHECK(all.questions[2].standing == Standing::wrong);
    CHECK(all.questions[2].tries == 2);
}

TEST_CASE("complete is everything answered and nothing wrong") {
    const auto with = [](Standing standing) {
        return model::Justification{
            1, {{"a", Standing::right, 1}, {"b", Standing::written, 1}, {"c", standing, 1}}}
            .complete();
    };
    CHECK(with(Standing::right));
    CHECK(with(Standing::written));
    CHECK_FALSE(with(Standing::wrong));
    CHECK_FALSE(with(Standing::open));
}
