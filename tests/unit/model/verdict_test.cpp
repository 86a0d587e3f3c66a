#include "model/verdict.h"

#include "model/errors.h"

#include <doctest/doctest.h>
#include <set>
#include <string>

using model::Verdict;

TEST_CASE("every verdict has a name of its own that leads back to it") {
    std::set<std::string> names;
    std::set<std::string> words;
    for (int i = 0; i <= static_cast<int>(Verdict::skipped); ++i) {
        const auto verdict = static_cast<Verdict>(i);
        names.emplace(model::name(verdict));
        words.emplace(model::words(verdict));
        CHECK(model::verdict_from_name(model::name(verdict)) == verdict);
    }
    CHECK(names.size() == 10);
    CHECK(words.size() == 10);
    CHECK(model::name(Verdict::time_limit_exceeded) == "time_limit_exceeded");
    CHECK(model::words(Verdict::wrong_answer) == "wrong answer");
}

TEST_CASE("what is no verdict's name leads nowhere") {
    for (const char* text : {"", "Accepted", "accepted ", "wrong answer"})
        CHECK_FALSE(model::verdict_from_name(text));
}

TEST_CASE("a content error names file and place") {
    CHECK(std::string(model::ContentError("problems/dropout/problem.json", "/limits/memory_mib",
                                          "must be positive (got -5)")
                          .what()) ==
          "cannot read problems/dropout/problem.json: /limits/memory_mib must be positive (got -5)");
    CHECK(std::string(model::ContentError("hints.md", "", "has no fourth hint").what()) ==
          "cannot read hints.md: has no fourth hint");
}
