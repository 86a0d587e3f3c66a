#include "app/verify/witnesses.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace verify;
using model::Verdict;

namespace {

using Names = std::vector<std::string>;

const model::Witness witness{.name = "reads-ahead",
                             .file = "/content/problems/two-rows/witnesses/reads-ahead.diff",
                             .refused_by = {"a", "b"}};
const std::string file = "problems/two-rows/witnesses/reads-ahead.diff";

model::Judgement judged(Verdict verdict, const Names& failed) {
    model::Judgement judgement{.verdict = verdict};
    for (const char* test : {"a", "b", "c"}) {
        const bool fails = std::ranges::find(failed, test) != failed.end();
        judgement.tests.push_back(
            {.name = test, .verdict = fails ? Verdict::wrong_answer : Verdict::accepted});
    }
    return judgement;
}

} // namespace

TEST_CASE("a witness that the named tests refuse has no gap") {
    CHECK(witness_gaps(witness, judged(Verdict::wrong_answer, {"a", "b"})).empty());
    CHECK(witness_gaps(witness, judged(Verdict::wrong_answer, {"a", "b", "c"})).empty());
}

TEST_CASE("a witness that is accepted is a gap that names its file and the depth") {
    CHECK(witness_gaps(witness, judged(Verdict::accepted, {})) ==
          Names{file + " is accepted by a graded run"});
    model::Witness deep = witness;
    deep.thorough = true;
    CHECK(witness_gaps(deep, judged(Verdict::accepted, {})) ==
          Names{file + " is accepted by a thorough run"});
}

TEST_CASE("a named test that passes is a gap, even if another test refuses the witness") {
    CHECK(witness_gaps(witness, judged(Verdict::wrong_answer, {"b", "c"})) ==
          Names{file + " is not refused by 'a', which kills.json names: measure again with --accept"});
}

TEST_CASE("a witness that does not compile is a gap with the compiler's words") {
    model::Judgement judgement{.verdict = Verdict::compile_error};
    judgement.compile.ok = false;
    judgement.compile.diagnostics.push_back(
        {.line = 7, .severity = model::Severity::error, .message = "no such name"});
    const Names gaps = witness_gaps(witness, judgement);
    REQUIRE(gaps.size() == 1);
    CHECK(gaps[0].starts_with(file + ": "));
    CHECK(gaps[0].ends_with("line 7: no such name"));
}
