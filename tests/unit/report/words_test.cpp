#include "report/words.h"

#include <doctest/doctest.h>

#include <limits>

using namespace report;
using namespace std::chrono_literals;

namespace {

model::Mismatch mismatch(std::uint64_t different, std::uint64_t total, double worst) {
    return {"out", {2, 1}, "7", "8", worst, worst / 7, different, total};
}

} // namespace

TEST_CASE("a mismatch is one sentence with what is known") {
    CHECK(sentence(mismatch(3, 12, 1)) ==
          "out[2, 1]: expected 7, got 8; 3 of 12 elements differ, worst by 1");
    CHECK(sentence(mismatch(1, 12, 1)) == "out[2, 1]: expected 7, got 8; 1 of 12 elements differs, by 1");
    CHECK(sentence({"loss", {}, "0.5", "0.25", 0.25, 0.5, 1, 1}) ==
          "loss: expected 0.5, got 0.25; off by 0.25");
}

TEST_CASE("a mismatch with NaN or infinity names no distance") {
    CHECK(sentence(mismatch(3, 12, std::numeric_limits<double>::infinity())) ==
          "out[2, 1]: expected 7, got 8; 3 of 12 elements differ");
    CHECK(sentence({"status", {}, "ok", "bad_id", 0, 0, 1, 1}) == "status: expected ok, got bad_id");
}

TEST_CASE("durations keep two or three digits") {
    CHECK(duration(850us) == "850 µs");
    CHECK(duration(1300us) == "1.3 ms");
    CHECK(duration(118300us) == "118 ms");
    CHECK(duration(2400ms) == "2.4 s");
}

TEST_CASE("the headline gives verdict and points, and a judge error costs none") {
    model::Judgement judgement;
    judgement.verdict = model::Verdict::wrong_answer;
    judgement.points = 6.5;
    judgement.max_points = 20;
    CHECK(headline(judgement) == "Wrong answer: 6.5 of 20 points");
    judgement.verdict = model::Verdict::judge_error;
    CHECK(headline(judgement) == "Could not be judged: this costs no points");
}

TEST_CASE("a place holds what is known of it") {
    CHECK(place("lookup.cpp", 12, 5) == "lookup.cpp:12:5");
    CHECK(place("lookup.cpp", 12, 0) == "lookup.cpp:12");
    CHECK(place("lookup.cpp", 0, 5) == "lookup.cpp");
}

TEST_CASE("a bar is full only when all is done, and empty only when nothing is") {
    CHECK(report::bar(0, 21, 8, true) == "░░░░░░░░");
    CHECK(report::bar(1, 21, 8, true) == "█░░░░░░░");
    CHECK(report::bar(20, 21, 8, false) == "#######.");
    CHECK(report::bar(21, 21, 8, false) == "########");
    CHECK(report::bar(0, 0, 4, false) == "....");
}
