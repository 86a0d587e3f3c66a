#include "questions/draw.h"

#include "unit/questions/examples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

using questions::drawn;

namespace {

std::vector<std::string> ids(const std::vector<model::Option>& options) {
    std::vector<std::string> all;
    for (const model::Option& option : options)
        all.push_back(option.id);
    return all;
}

} // namespace

TEST_CASE("every order holds each option once, and the same seed gives the same order") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        auto order = ids(drawn(examples::choice(), seed).options);
        CHECK(order == ids(drawn(examples::choice(), seed).options));
        std::ranges::sort(order);
        CHECK(order == std::vector<std::string>{"nine", "sixteen", "three", "twelve"});
    }
}

TEST_CASE("the order of a seed is the same on every machine") {
    const auto order = ids(drawn(examples::choice(), 7).options);
    CHECK(order[0] + " " + order[1] + " " + order[2] + " " + order[3] == "twelve nine three sixteen");
}

TEST_CASE("the right answer has each letter about equally often") {
    std::array<int, 4> at{};
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        const auto options = drawn(examples::choice(), seed).options;
        const auto right = std::ranges::find(options, true, &model::Option::correct);
        ++at.at(static_cast<std::size_t>(right - options.begin()));
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
        different += ids(drawn(examples::choice(), seed).options) != ids(drawn(other, seed).options) ? 1 : 0;
    CHECK(different > 25);
}

TEST_CASE("both sides of pairs are shuffled, each by itself") {
    std::set<std::vector<std::string>> lefts;
    std::set<std::vector<std::string>> rights;
    bool apart = false;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto question = drawn(examples::pairs(), seed);
        lefts.insert(ids(question.options));
        rights.insert(ids(question.matches));
        apart = apart || question.options[0].id + "=" + question.matches[0].id != "v=rows";
        CHECK(question.key == examples::pairs().key);
    }
    CHECK(lefts.size() == 6);
    CHECK(rights.size() == 6);
    CHECK(apart);
}

TEST_CASE("the seed draws one value of each variable, and all texts agree on it") {
    std::set<std::string> prompts;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto question = drawn(examples::bytes(), seed);
        const auto values = questions::values_of(question);
        const double n = values.at("n");
        const double d = values.at("d");
        CHECK((n == 12 || n == 24));
        CHECK((d == 64 || d == 128));
        const auto text = [](double value) { return std::to_string(static_cast<int>(value)); };
        CHECK(question.prompt == "How many bytes do " + text(n) + " rows of " + text(d) + " floats take?");
        CHECK(question.misconceptions[0].answer == "n*d"); // a formula stays one
        prompts.insert(question.prompt);
    }
    CHECK(prompts.size() == 4);
}

TEST_CASE("a predicted output and what is taken for it are filled in as a program prints them") {
    auto question = examples::output();
    question.variables = {{"a", {1024}}};
    question.prompt = "Prints what for ${a}?";
    question.output = "${a} ${a+1}";
    question.misconceptions[0].answer = "${a} ${a}";
    question = drawn(question, 1);
    CHECK(question.prompt == "Prints what for 1,024?");
    CHECK(question.output == "1024 1025");
    CHECK(question.misconceptions[0].answer == "1024 1024");
}

TEST_CASE("a text with a formula that has no value is a fault of the package") {
    auto question = examples::bytes();
    question.prompt = "How many ${rows}?";
    CHECK_THROWS_AS(drawn(question, 1), questions::FormulaError);
}
