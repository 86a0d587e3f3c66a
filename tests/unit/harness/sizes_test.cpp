#include "harness/context.h"
#include "harness/sizes.h"

#include "harness/expect.h"
#include "harness/recorder.h"

#include <doctest/doctest.h>

using namespace harness;

namespace {

const std::vector<SizeRange> ranges{{"V", 1, 40}, {"C", 2, 33}, {"T", 0, 20}};

struct DrawnCase {
    Recorder& recorder = Recorder::current();
    DrawnCase() {
        recorder.set_seed(11);
        recorder.begin_case("a case");
    }

    /// The sizes of the failure that is reported, or nothing.
    std::string reported(const std::function<bool(const Sizes&)>& holds) {
        recorder.begin_case("a case");
        for_random_sizes(50, ranges, [&](const Sizes& size, Random&) { expect_true("holds", holds(size)); });
        const std::vector<Finding> findings = recorder.end_case();
        return findings.empty() ? "" : findings[0].context;
    }
};

} // namespace

TEST_CASE_FIXTURE(DrawnCase, "sizes lie in their ranges, and are known by name") {
    int bodies = 0;
    for_random_sizes(200, ranges, [&](const Sizes& size, Random&) {
        ++bodies;
        CHECK((size["V"] >= 1 && size["V"] <= 40));
        CHECK((size["C"] >= 2 && size["C"] <= 33));
        CHECK(size["T"] <= 20);
        CHECK_THROWS_AS(size["X"], std::out_of_range);
    });
    CHECK(bodies == 200);
    CHECK_FALSE(recorder.failed());
}

TEST_CASE_FIXTURE(DrawnCase, "the last draw takes the largest of every size") {
    std::vector<std::vector<std::size_t>> seen;
    for_random_sizes(3, ranges, [&](const Sizes& size, Random&) { seen.push_back(size.values()); });
    REQUIRE(seen.size() == 3);
    CHECK(seen[2] == std::vector<std::size_t>{40, 33, 20});
    CHECK(seen[0] != seen[2]);
    CHECK(seen[1] != seen[2]);
}

TEST_CASE_FIXTURE(DrawnCase, "a failure is shrunk to the smallest sizes that fail") {
    CHECK(reported([](const Sizes& size) { return size["T"] < 7; }) == "V = 1, C = 2, T = 7");
    CHECK(reported([](const Sizes& size) { return size["V"] < 5 || size["C"] < 9; }) ==
          "V = 5, C = 9, T = 0");
    CHECK(reported([](const Sizes&) { return false; }) == "V = 1, C = 2, T = 0");
    CHECK(reported([](const Sizes&) { return true; }).empty());
}

TEST_CASE_FIXTURE(DrawnCase, "the smallest sizes themselves can be what fails") {
    CHECK(reported([](const Sizes& size) { return size["T"] != 0; }).ends_with("T = 0"));
    CHECK(reported([](const Sizes& size) { return size["V"] != 3; }) == "V = 3, C = 2, T = 0");
}

TEST_CASE_FIXTURE(DrawnCase, "only one failure is reported, and findings from before stay") {
    expect_true("from before", false);
    for_random_sizes(50, ranges, [](const Sizes&, Random&) { expect_true("never", false); });
    const std::vector<Finding> findings = recorder.end_case();
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].text == "does not hold: from before");
    CHECK(findings[1].text == "does not hold: never");
}

TEST_CASE_FIXTURE(DrawnCase, "the same seed draws the same, another seed or case something else") {
    const auto draws = [&](std::uint64_t seed, const char* name) {
        recorder.set_seed(seed);
        recorder.begin_case(name);
        std::string text;
        for_random_sizes(5, ranges, [&](const Sizes& size, Random& random) {
            text += size.print() + "/" + std::to_string(random.bits()) + ";";
        });
        return text;
    };
    CHECK(draws(1, "a") == draws(1, "a"));
    CHECK(draws(1, "a") != draws(2, "a"));
    CHECK(draws(1, "a") != draws(1, "b"));
}

TEST_CASE_FIXTURE(DrawnCase,
                  "the values of a draw depend on its sizes alone, so that a shrunk case repeats") {
    std::uint64_t seen = 0;
    for_random_sizes(50, ranges, [&](const Sizes&, Random& random) {
        seen = random.bits();
        expect_true("never", false);
    });
    CHECK(seen == named_stream(11, "a caseV = 1, C = 2, T = 0").bits());
}

TEST_CASE_FIXTURE(DrawnCase, "what comes out of a body becomes a finding with its sizes") {
    for_random_sizes(5, ranges, [](const Sizes&, Random&) { throw subject::LearnerThrew("int", "7"); });
    Finding finding = recorder.end_case().front();
    CHECK(finding.kind == Finding::Kind::threw);
    CHECK(finding.type == "int");
    CHECK(finding.context == "V = 1, C = 2, T = 0");

    recorder.begin_case("a case");
    for_random_sizes(5, ranges, [](const Sizes&, Random&) { throw std::logic_error("the suite's own"); });
    finding = recorder.end_case().front();
    CHECK(finding.kind == Finding::Kind::broken_suite);
    CHECK(finding.text == "the suite's own");
}

TEST_CASE_FIXTURE(DrawnCase, "a lost call that was heard of fails the draw") {
    for_random_sizes(5, ranges, [&](const Sizes&, Random&) {
        recorder.died("f", {.fate = subject::Fate::signalled, .code = 11});
        throw subject::CallLost{};
    });
    CHECK(recorder.end_case().front().kind == Finding::Kind::died);
}

TEST_CASE_FIXTURE(DrawnCase, "a time-out is not repeated for the sake of a smaller example") {
    int bodies = 0;
    for_random_sizes(5, ranges, [&](const Sizes&, Random&) {
        ++bodies;
        recorder.died("f", {.fate = subject::Fate::timed_out});
        throw subject::CallLost{};
    });
    CHECK(bodies == 1);
}

TEST_CASE_FIXTURE(DrawnCase, "an exception that nobody knows passes on, and keeps the findings") {
    expect_true("from before", false);
    CHECK_THROWS_AS(for_random_sizes(5, ranges,
                                     [](const Sizes&, Random&) {
                                         expect_true("in the body", false);
                                         throw 1;
                                     }),
                    int);
    CHECK(current_context().empty());
    CHECK(recorder.end_case().size() == 2);
}
