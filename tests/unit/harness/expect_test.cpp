#include "harness/expect.h"

#include "harness/recorder.h"

#include <doctest/doctest.h>
#include <limits>

using namespace harness;
using contract::Status;

namespace {

struct Case {
    Recorder& recorder = Recorder::current();
    Case() { recorder.begin_case("a case"); }

    Finding only() {
        const std::vector<Finding> findings = recorder.end_case();
        REQUIRE(findings.size() == 1);
        return findings[0];
    }
};

} // namespace

TEST_CASE_FIXTURE(Case, "claims that hold leave no finding") {
    const Grid<float> grid(1, 2, {1, 2});
    CHECK(expect_identical("out", grid, grid));
    CHECK(expect_close("out", grid, Grid<double>(1, 2, {1, 2.1}), {.rel = 0.05}));
    CHECK(expect_within("out", grid, Grid<double>(1, 2, {1, 2.1}), Grid<double>(1, 2, {0, 0.2})));
    CHECK(expect_untouched("out", Grid<float>(2, 2)));
    CHECK(expect_status(Status{}, Status{}));
    CHECK(expect_true("one is one", true));
    CHECK(expect_near("sum", 1.0, 1.25, 0.25));
    CHECK(expect_equal("count", 3, 3U));
    CHECK_FALSE(recorder.failed());
}

TEST_CASE_FIXTURE(Case, "a wrong value is a mismatch with its place") {
    CHECK_FALSE(expect_identical("out", Grid<float>(1, 2, {1, 3}), Grid<float>(1, 2, {1, 2})));
    const Finding finding = only();
    CHECK(finding.kind == Finding::Kind::mismatch);
    REQUIRE(finding.mismatch);
    CHECK(finding.mismatch->what == "out");
    CHECK(finding.mismatch->index == std::vector<std::uint64_t>{0, 1});
    CHECK(finding.mismatch->expected == "2");
    CHECK(finding.mismatch->got == "3");
    CHECK_FALSE(finding.untouched);
}

TEST_CASE_FIXTURE(Case, "a tolerance grows with the wanted value, a bound belongs to its element") {
    CHECK_FALSE(
        expect_close("out", std::vector<float>{1.2F}, std::vector<double>{1.0}, {.abs = 0.1, .rel = 0.05}));
    CHECK(
        expect_close("out", std::vector<float>{10.5F}, std::vector<double>{10.0}, {.abs = 0.1, .rel = 0.05}));
    CHECK_FALSE(expect_within("out", std::vector<float>{1, 2}, std::vector<double>{1.1, 2.1},
                              std::vector<double>{0.2, 0.01}));
    CHECK(recorder.end_case().size() == 2);
}

TEST_CASE_FIXTURE(Case, "an output that was never written is told as such") {
    CHECK_FALSE(expect_identical("out", Grid<float>(1, 2), Grid<float>(1, 2, {1, 2})));
    CHECK(only().untouched);
}

TEST_CASE_FIXTURE(Case, "an output that should have stayed untouched says so") {
    CHECK_FALSE(expect_untouched("out", Grid<float>(1, 2, {1, 2})));
    CHECK(only().text == "out must stay untouched, but was written to");
}

TEST_CASE_FIXTURE(Case, "shapes that differ are an assertion with both shapes") {
    CHECK_FALSE(expect_identical("out", Grid<float>(1, 2), Grid<float>(2, 1)));
    const Finding finding = only();
    CHECK(finding.kind == Finding::Kind::assertion);
    CHECK(finding.text == "out has shape (1, 2), expected (2, 1)");
}

TEST_CASE_FIXTURE(Case, "a wrong status is printed with its facts") {
    CHECK_FALSE(expect_status(Status{}, Status::id_out_of_range(3, -1, 50)));
    CHECK(only().text ==
          "the returned Status is wrong: expected id_out_of_range {where 3, value -1, limit 50}, got ok");
}

TEST_CASE_FIXTURE(Case, "a status that no contract knows is printed by its number") {
    CHECK_FALSE(expect_status(Status{static_cast<contract::Code>(-7)}, Status{}));
    CHECK(only().text.ends_with("got -7 (no value of its enumeration)"));
}

TEST_CASE_FIXTURE(Case, "NaN is near nothing and equal to nothing") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_FALSE(expect_near("sum", nan, 1, infinity));
    CHECK_FALSE(expect_near("sum", 1, nan, infinity));
    CHECK_FALSE(expect_near("sum", infinity, 1, infinity));
    CHECK_FALSE(expect_equal("sum", nan, nan));
    const auto findings = recorder.end_case();
    REQUIRE(findings.size() == 4);
    CHECK(findings[0].mismatch->worst_abs == infinity); // so that two such failures compare equal
}

TEST_CASE_FIXTURE(Case, "no more than a few findings are kept") {
    for (int i = 0; i < 100; ++i)
        expect_true("never", false);
    CHECK(recorder.end_case().size() == 8);
}

TEST_CASE_FIXTURE(Case, "what the listener hears becomes findings") {
    using model::Fate;
    for (const Fate fate : {Fate::exited, Fate::timed_out, Fate::broke_protocol}) {
        recorder.begin_case("a case");
        recorder.died("f", {.fate = fate,
                            .code = 7,
                            .before_ready = true,
                            .out_of_time = model::OutOfTime::sleeping,
                            .limit = std::chrono::milliseconds(9),
                            .peak_kib = 12,
                            .output = "last words"});
        CHECK(recorder.take_last_words() == "last words");
        const Finding finding = only();
        CHECK(finding.kind == Finding::Kind::died);
        CHECK(finding.fate == fate);
        CHECK(finding.code == 7);
        CHECK(finding.before);
        CHECK(finding.out_of_time == model::OutOfTime::sleeping);
        CHECK(finding.limit_ms == 9);
        CHECK(finding.peak_kib == 12);
    }
    recorder.begin_case("a case");
    recorder.not_implemented("f");
    recorder.out_of_memory("f");
    recorder.overran("f", 2, true);
    recorder.changed_input("f", 3);
    recorder.left_modes("f");
    const std::vector<Finding> findings = recorder.end_case();
    REQUIRE(findings.size() == 5);
    CHECK(findings[0].kind == Finding::Kind::not_implemented);
    CHECK(findings[1].kind == Finding::Kind::out_of_memory);
    CHECK(findings[2].kind == Finding::Kind::overrun);
    CHECK(findings[2].argument == 2);
    CHECK(findings[2].before);
    CHECK(findings[3].kind == Finding::Kind::changed_input);
    CHECK(findings[3].argument == 3);
    CHECK(findings[4].kind == Finding::Kind::left_modes);
}

TEST_CASE_FIXTURE(Case, "a new case knows nothing of the last") {
    expect_true("never", false);
    recorder.died("f", {.output = "words"});
    recorder.begin_case("another");
    CHECK_FALSE(recorder.failed());
    CHECK(recorder.take_last_words().empty());
    CHECK(recorder.case_name() == "another");
}

TEST_CASE_FIXTURE(Case, "a number that is none is told as such") {
    recorder.begin_trial();
    expect_near("the mean, of two", std::numeric_limits<double>::quiet_NaN(), 1, 0.5);
    CHECK(recorder.end_trial().size() == 1);
    CHECK(recorder.effect().words == std::set<std::string>{"the mean holds a NaN where a number is right"});
    recorder.begin_trial();
    expect_near("the mean, of two", 2, 1, 0.5);
    CHECK(recorder.end_trial().size() == 1);
    CHECK(recorder.effect().words.empty());
    CHECK(recorder.effect().in_general == "the mean is wrong");
}

TEST_CASE_FIXTURE(Case, "the words of a claim with numbers are for the test alone") {
    recorder.begin_trial();
    expect_near("the mean of 12 values", 2, 1, 0.5);
    CHECK(recorder.end_trial().front().mismatch->what == "the mean of 12 values");
    CHECK(recorder.effect().in_general.empty());
    CHECK(recorder.effect().where.output.empty());
}
