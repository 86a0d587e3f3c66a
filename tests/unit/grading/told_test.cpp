// What a learner is told of a test that failed.
#include "evidence_builder.h"

#include <doctest/doctest.h>

using namespace grading_test;
using namespace model;

TEST_CASE("a hint comes with wrong values, and not with crashes or endless loops") {
    const auto hint = [](const CaseEnded& ended) {
        return judged(Language::cpp,
                      [&](Evidence& e) {
                          e.judged.run = whole_run({ended, pass("b")});
                      })
            .tests[0]
            .hint;
    };
    CHECK(hint(fail("a", wrong())) == "hint a");
    CHECK(hint(fail("a", missing())) == "hint a");
    CHECK(hint(pass("a")).empty());
    CHECK(hint(fail("a", died(Fate::signalled, 11))).empty());
    CHECK(hint(fail("a", died(Fate::timed_out))).empty());
}

TEST_CASE("a failed check of the library is told in place of the signal") {
    CaseEnded aborted = fail("a", died(Fate::signalled, 6));
    const std::string check = "/usr/include/c++/12/span:278: T& std::span<T, N>::operator[](size_type) const "
                              "[with T = float]: Assertion '__idx < size()' failed.\n";
    aborted.output = "row 1\n" + check;
    const auto result = [&](const CaseEnded& ended) {
        return judged(Language::cpp,
                      [&](Evidence& e) {
                          e.judged.run = whole_run({ended, pass("b")});
                      })
            .tests[0];
    };
    CHECK(result(aborted).message.find("used an element of a std::span that does not exist") !=
          std::string::npos);
    CHECK(result(aborted).output == "row 1\n");
    CaseEnded crashed = fail("a", died(Fate::signalled, 11));
    crashed.output = check; // what it printed before
    CHECK(result(crashed).message.find("SIGSEGV") != std::string::npos);
    CHECK(result(crashed).output == check);
}
