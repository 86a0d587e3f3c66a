#include "app/verify/bank.h"

#include "unit/questions/examples.h"

#include <doctest/doctest.h>

using verify::bank_gaps;

namespace {

std::vector<std::string> gaps_of(const model::Question& question) {
    model::Problem problem;
    problem.id = "token-lookup";
    problem.questions = {question};
    return bank_gaps(problem);
}

bool says(const std::vector<std::string>& gaps, const std::string& words) {
    return gaps.size() == 1 && gaps[0].find(words) != std::string::npos;
}

/// `longest` of `all` questions give themselves away.
std::vector<std::string> gaps_of(std::size_t longest, std::size_t all) {
    model::Problem problem;
    for (std::size_t i = 0; i < all; ++i) {
        problem.questions.push_back(examples::choice());
        problem.questions.back().options[0].text =
            i < longest ? "an option that is longer than others" : "short";
    }
    return bank_gaps(std::vector<const model::Problem*>{&problem});
}

} // namespace

TEST_CASE("sound questions of every kind have no gap") {
    for (const auto& question : examples::all())
        CHECK(gaps_of(question).empty());
}

TEST_CASE("a concept that no question asks about is a gap, a pair may ask about one of its own") {
    model::Problem problem;
    problem.id = "token-lookup";
    problem.concepts = {"stride", "columns"};
    problem.questions = {examples::choice(), examples::pairs()};
    problem.questions[0].concept_name = "stride";
    CHECK(
        says(bank_gaps(problem), "problems/token-lookup/questions.json: no question asks about \"columns\""));
    problem.questions[1].options[1].concept_name = "columns";
    CHECK(bank_gaps(problem).empty());
}

TEST_CASE("a wrong number that is right for some draw is a gap") {
    auto question = examples::bytes();
    question.misconceptions[0].answer = "d*48"; // right where n is 12
    CHECK(says(gaps_of(question), "problems/token-lookup/questions.json: bytes-read, with seed "));
    CHECK(says(gaps_of(question), "misconception 1 is the right answer"));
    question.misconceptions = {{"n*d", "", ""}, {"n*64", "", ""}}; // one where d is 64
    CHECK(says(gaps_of(question), "misconceptions 1 and 2 are one"));
}

TEST_CASE("a formula that has no value for some draw is a gap") {
    auto question = examples::bytes();
    question.formula = "n*d*4 / (n - 12)";
    CHECK(says(gaps_of(question), "not finite"));
}

TEST_CASE("outputs that become one for some draw are a gap") {
    auto question = examples::output();
    question.variables = {{"a", {4, 7}}};
    question.output = "${a} 8";
    question.misconceptions = {{"7  8", "", ""}};
    CHECK(says(gaps_of(question), "misconception 1 is the right answer"));
}

TEST_CASE("two options with the same words are a gap") {
    auto question = examples::choice();
    question.options[2].text = "Element  3";
    CHECK(says(gaps_of(question), "two options say the same"));
}

TEST_CASE("the right option may be the longest in 40 % of the questions") {
    CHECK(gaps_of(4, 10).empty());
    CHECK(says(gaps_of(5, 10), "5 of 10"));
    CHECK(gaps_of(3, 3).empty()); // too few for a share
}
