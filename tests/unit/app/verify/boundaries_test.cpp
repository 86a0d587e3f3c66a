#include "app/verify/boundaries.h"
#include "app/verify/proof.h"

#include <doctest/doctest.h>

using events::Covered;

namespace {

const std::vector<Covered> rows{
    {"lookup", "table", "gaps", true, ""},     {"lookup", "table", "far", false, "tables are small"},
    {"lookup", "V x C", "paired", true, ""},   {"lookup", "ids", "refused", false, ""},
    {"lookup", "", "two refusals", false, ""},
};

} // namespace

TEST_CASE("a circumstance is a gap unless it was reached or left out") {
    CHECK(verify::boundary_gaps({rows, {}}) ==
          std::vector<std::string>{"no call of lookup was made with ids: refused",
                                   "no call of lookup was made with two refusals"});
    CHECK(verify::boundary_gaps({{rows[0], rows[1], rows[2]}, {}}).empty());
}

TEST_CASE("a test that refuses the reference in a thorough run is a gap") {
    CHECK(verify::boundary_gaps({{}, {}, {"sums"}}) ==
          std::vector<std::string>{"in a thorough run the test 'sums' refuses the reference"});
}

TEST_CASE("accepted files are judged thoroughly, and mistakes by graded runs") {
    model::Problem problem;
    problem.accepted = {"loops.cpp"};
    problem.mistakes.push_back({.name = "drops-the-tail"});
    const verify::Proof proof = verify::plan_proof(problem, false, {});
    for (const verify::Trial& trial : proof.trials)
        CHECK(trial.thorough == (trial.role == verify::Trial::Role::accepted));
    CHECK(proof.trials.size() == 4);
}

TEST_CASE("a gap makes a proof unsound") {
    verify::Proof proof;
    CHECK(proof.sound());
    proof.boundaries = {{rows[0], rows[1]}, {}};
    CHECK(proof.sound());
    proof.boundaries = {rows, {}};
    CHECK_FALSE(proof.sound());
}

TEST_CASE("so does a test that the manifest does not know") {
    verify::Proof proof;
    proof.boundaries = {{}, {"forgotten"}};
    CHECK_FALSE(proof.sound());
    CHECK(proof.gaps() == std::vector<std::string>{
                              "the test 'forgotten' of the suite is not in problem.json, so it never runs"});
}

TEST_CASE("the table counts by parameter and by pairs, and gives the reason for what is left out") {
    CHECK(verify::boundary_table(rows) == "  boundary coverage\n"
                                          "    lookup: 1 of 2 by parameter, 1 of 2 by pairs\n"
                                          "    lookup without table: far: tables are small\n");
    CHECK(verify::boundary_table({}).find("none") != std::string::npos);
}
