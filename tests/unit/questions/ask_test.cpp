#include "questions/ask.h"

#include "questions/draw.h"
#include "unit/questions/examples.h"

#include <doctest/doctest.h>

using questions::as_markdown;

TEST_CASE("a choice is shown with letters in the order of its options") {
    CHECK(as_markdown(examples::choice(), 2, 8) ==
          "**Question 2 of 8.** Where does row 3 of a table with stride 4 begin?\n\n- a) Element 12\n- b) "
          "Element 3\n"
          "- c) Element 16\n- d) Element 9\n\n*Answer with one letter.*\n");
}

TEST_CASE("pairs show letters on one side and numbers on the other") {
    CHECK(as_markdown(examples::pairs(), 1, 1)
              .find("- a) V\n- b) C\n- c) T\n\n- 1) rows\n- 2) columns\n- 3) tokens\n") != std::string::npos);
}

TEST_CASE("an option of several lines stays one item") {
    auto question = examples::choice();
    question.options = {{"two-lines", "one\ntwo", true, "", ""}};
    CHECK(as_markdown(question, 1, 1).find("- a) one\n  two\n") != std::string::npos);
}

TEST_CASE("each kind says how to answer") {
    CHECK(as_markdown(examples::number(), 1, 1).find("number, in elements.") != std::string::npos);
    CHECK(as_markdown(examples::output(), 1, 1).find("what is printed") != std::string::npos);
    CHECK(as_markdown(examples::text(), 1, 1).find("a sentence or two") != std::string::npos);
    CHECK(as_markdown(examples::several(), 1, 1).find("letters of all") != std::string::npos);
    CHECK(as_markdown(examples::order(), 1, 1).find("first step first") != std::string::npos);
}

TEST_CASE("nothing shown tells the answer") {
    for (const auto& each : examples::all()) {
        const auto question = questions::drawn(each, 3);
        const auto text = as_markdown(question, 1, 1);
        CHECK(text.find(question.explanation) == std::string::npos);
        CHECK((question.output.empty() || text.find(question.output) == std::string::npos));
        CHECK((question.formula.empty() || text.find(question.formula) == std::string::npos));
        CHECK((question.model_answer.empty() || text.find(question.model_answer) == std::string::npos));
        for (const auto& point : question.key_points)
            CHECK(text.find(point) == std::string::npos);
        for (const auto& option : question.options)
            CHECK((option.says.empty() || text.find(option.says) == std::string::npos));
    }
}
