// What a judgement says besides its verdicts.
#include "grading/judge.h"

#include "evidence_builder.h"

#include <doctest/doctest.h>
#include <functional>

using namespace grading_test;
using namespace model;

namespace {

Judgement judged(const std::function<void(Evidence&)>& change) {
    Evidence evidence = sanitized();
    change(evidence);
    return grading::judge(two_tests(Language::cpp), evidence);
}

} // namespace

TEST_CASE("warnings are shown beside a failure, and nowhere else") {
    const auto shown = [](const std::function<void(Evidence&)>& change) {
        const Judgement judgement = judged([&](Evidence& e) {
            change(e);
            auto& said = e.judged.build.diagnostics;
            said.insert(said.begin(), {{.severity = Severity::warning, .message = "unused"},
                                       {.severity = Severity::note, .message = "declared here"}});
        });
        return judgement.compile.diagnostics.size();
    };
    CHECK(shown(nothing) == 0);
    CHECK(shown([](Evidence& e) {
              e.judged.run = whole_run({fail("a", missing()), fail("b", missing())});
          }) == 0);
    CHECK(shown([](Evidence& e) { e.judged.run = whole_run({fail("a", wrong()), pass("b")}); }) == 2);
    CHECK(shown([](Evidence& e) { e.judged = no_program("what?"); }) == 1);
}

TEST_CASE("what failing calls share is said where no mistake is recognised") {
    const auto said = [](const std::function<void(Evidence&)>& change) {
        return judged([&](Evidence& e) {
                   e.judged.run = whole_run({fail("a", wrong()), pass("b")});
                   e.judged.run->events.emplace_back(events::FailuresShare{"f", "only if C is 1"});
                   change(e);
               })
            .failing_calls;
    };
    REQUIRE(said(nothing).size() == 1);
    CHECK(said(nothing).front().function == "f");
    CHECK(said(nothing).front().says == "only if C is 1");
    CHECK(said([](Evidence& e) {
              e.judged.run->events.emplace_back(events::MistakeMatched{"adds-one", {"a"}, {}});
          }).empty());
}
