#include "questions/ask.h"

#include "unit/questions/examples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

TEST_CASE("every order holds each option once, and the same seed gives the same order") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        auto order = questions::option_order(examples::choice(), seed);
        CHECK(order == questions::option_order(examples::choice(), seed));
        std::sort(order.begin(), order.end());
        CHECK(order == std::vector<std::size_t>{0, 1, 2, 3});
    }
}

TEST_CASE("the right answer stands at each letter about equally often") {
    std::array<int, 4> at{};
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        const auto order = questions::option_order(examples::choice(), seed);
        ++at.at(static_cast<std::size_t>(std::find(order.begin(), order.end(), 0U) - order.begin()));
    }
    // Binomial(4000, 1/4) has standard deviation 27; seven of them. The seeds are fixed, so this never
    // flickers.
    for (const int count : at)
        CHECK(std::abs(count - 1000) < 190);
}

TEST_CASE("two questions of one run are not shuffled alike") {
    auto other = examples::choice();
    other.id = "another";
    int different = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        different +=
            questions::option_order(examples::choice(), seed) != questions::option_order(other, seed) ? 1 : 0;
    CHECK(different > 25);
}

TEST_CASE("no options have an empty order") {
    CHECK(questions::option_order(examples::number(), 3).empty());
}

TEST_CASE("a choice is shown with letters in its order") {
    const auto question = examples::choice();
    const auto order = questions::option_order(question, 5);
    const auto text = questions::as_markdown(question, 2, 5);
    CHECK(text == "**Question 2.** Where does row 3 of a table with stride 4 begin?\n\n- a) " +
                      question.options[order[0]].text + "\n- b) " + question.options[order[1]].text +
                      "\n- c) " + question.options[order[2]].text + "\n- d) " +
                      question.options[order[3]].text + "\n\n*Answer with one letter.*\n");
}

TEST_CASE("an option of several lines stays one item") {
    auto question = examples::choice();
    question.options = {{"one\ntwo", true, "", ""}};
    CHECK(questions::as_markdown(question, 1, 0).find("- a) one\n  two\n") != std::string::npos);
}

TEST_CASE("each kind says how to answer") {
    CHECK(questions::as_markdown(examples::number(), 1, 0).find("number, in elements.") != std::string::npos);
    CHECK(questions::as_markdown(examples::output(), 1, 0).find("what is printed") != std::string::npos);
    CHECK(questions::as_markdown(examples::text(), 1, 0).find("a sentence or two") != std::string::npos);
}

TEST_CASE("nothing shown tells the answer") {
    for (const auto& question :
         {examples::choice(), examples::number(), examples::output(), examples::text()}) {
        const auto text = questions::as_markdown(question, 1, 0);
        CHECK(text.find(question.explanation) == std::string::npos);
        CHECK((question.output.empty() || text.find(question.output) == std::string::npos));
        CHECK((question.formula.empty() || text.find(question.formula) == std::string::npos));
        CHECK((question.model_answer.empty() || text.find(question.model_answer) == std::string::npos));
        for (const auto& option : question.options)
            CHECK(text.find(option.says) == std::string::npos);
    }
}
