#include "questions/marking.h"

#include "model/errors.h"
#include "questions/ask.h"
#include "unit/questions/examples.h"

#include <doctest/doctest.h>

#include <algorithm>

using questions::mark;
using questions::Mark;

namespace {

std::string letter_of(const model::Question& question, std::size_t option, std::uint64_t seed) {
    const auto order = questions::option_order(question, seed);
    return {static_cast<char>('a' + (std::find(order.begin(), order.end(), option) - order.begin()))};
}

bool says(const Mark& mark, const std::string& text) {
    return mark.says.find(text) != std::string::npos;
}

} // namespace

TEST_CASE("an empty answer is never right, whatever the question") {
    auto empty_output = examples::output();
    empty_output.output = "\n";
    auto nothing_needed = examples::text();
    nothing_needed.key_points.clear();
    auto zero = examples::number();
    zero.formula = "0";
    for (const auto& question : {examples::choice(), examples::number(), examples::output(), examples::text(),
                                 empty_output, nothing_needed, zero})
        for (const char* answer : {"", " ", "\n\t\r\n"}) {
            const Mark got = mark(question, answer, 1);
            CHECK_FALSE(got.correct);
            CHECK_FALSE(got.understood);
            CHECK(got.credit == 0);
            CHECK(says(got, "empty"));
        }
    CHECK_FALSE(mark(nothing_needed, "anything", 1).correct);
}

TEST_CASE("an endless answer is not read") {
    for (const auto& question :
         {examples::choice(), examples::number(), examples::output(), examples::text()})
        CHECK_FALSE(mark(question, std::string(9000, 'a'), 1).understood);
}

TEST_CASE("the letter of the right option is right, at every seed and in every spelling") {
    const auto question = examples::choice();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::string letter = letter_of(question, 0, seed);
        std::string upper = letter;
        upper[0] = static_cast<char>(upper[0] - 'a' + 'A');
        for (const auto& answer : {letter, upper, letter + ")", "(" + letter + ")", " " + letter + ". "}) {
            const Mark got = mark(question, answer, seed);
            CHECK_MESSAGE(got.correct, answer);
            CHECK(got.credit == 1);
            CHECK(says(got, "Three rows of four"));
            CHECK(says(got, question.explanation));
            CHECK(got.mistake.empty());
        }
    }
    CHECK(mark(question, "element 12", 4).correct);
}

TEST_CASE("the letter of a wrong option says what one would have to believe, and names the mistake") {
    const auto question = examples::choice();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Mark got = mark(question, letter_of(question, 1, seed), seed);
        CHECK(got.understood);
        CHECK_FALSE(got.correct);
        CHECK(got.credit == 0);
        CHECK(got.says == "That is the start of *column* 3.");
        CHECK(got.mistake == "reads-column");
    }
    CHECK(mark(question, letter_of(question, 3, 1), 1).mistake.empty());
}

TEST_CASE("what is no option is asked again") {
    for (const char* answer : {"e", "z", "1", "ab", "a b", "()", ")", "because", "\x1b[31m", "a)a)"}) {
        const Mark got = mark(examples::choice(), answer, 1);
        CHECK_FALSE(got.understood);
        CHECK_FALSE(got.correct);
        CHECK(says(got, "a to d"));
    }
}

TEST_CASE("the right number is right in any spelling") {
    for (const char* answer : {"17", "17.0", "5*3+2", "17 elements", "1.7e1", "34/2"}) {
        const Mark got = mark(examples::number(), answer, 1);
        CHECK_MESSAGE(got.correct, answer);
        CHECK(got.says == examples::number().explanation);
    }
}

TEST_CASE("a wrong number hits its misconception or gets the explanation") {
    const Mark column = mark(examples::number(), "17.000001", 1);
    CHECK(column.understood);
    CHECK_FALSE(column.correct);
    CHECK(column.mistake.empty());
    CHECK(column.says == examples::number().explanation);

    auto wide = examples::number();
    wide.variables["row"] = 4; // right is 14, down the column is 16, from one is 11
    CHECK(mark(wide, "14", 1).correct);
    CHECK(mark(wide, "16", 1).says == "You went down column 2.");
    CHECK(mark(wide, "16", 1).mistake == "reads-column");
    CHECK(mark(wide, "11", 1).says == "Ids count from zero.");
    CHECK(mark(wide, "11", 1).mistake.empty());
}

TEST_CASE("the tolerance is relative and holds on both sides") {
    auto question = examples::number();
    question.formula = "d * 1000";
    question.variables = {{"d", 2}};
    question.relative_tolerance = 0.005;
    question.misconceptions.clear();
    for (const char* answer : {"1990", "2010", "2000"})
        CHECK_MESSAGE(mark(question, answer, 1).correct, answer);
    for (const char* answer : {"1989.9", "2010.1", "-2000", "0"})
        CHECK_MESSAGE(!mark(question, answer, 1).correct, answer);
    question.variables["d"] = -2;
    CHECK(mark(question, "-1995", 1).correct);
    CHECK_FALSE(mark(question, "1995", 1).correct);
}

TEST_CASE("an exact answer forgives rounding in binary and nothing else") {
    auto question = examples::number();
    question.formula = "0.1 * 3";
    question.variables.clear();
    question.misconceptions.clear();
    CHECK(mark(question, "0.3", 1).correct);
    CHECK_FALSE(mark(question, "0.3000001", 1).correct);
    question.formula = "124439808";
    CHECK_FALSE(mark(question, "124439809", 1).correct);
    question.formula = "0";
    CHECK(mark(question, "0", 1).correct);
    CHECK_FALSE(mark(question, "1e-9", 1).correct);
}

TEST_CASE("no number is asked again, and a broken formula is our fault") {
    CHECK_FALSE(mark(examples::number(), "seventeen", 1).understood);
    CHECK(says(mark(examples::number(), "12,5", 1), "1,234.5"));
    auto broken = examples::number();
    broken.formula = "row *";
    CHECK_THROWS_AS(mark(broken, "17", 1), model::ContentError);
}

TEST_CASE("predicted output is compared by what it says") {
    for (const char* answer : {"7 8 9\n7 8 9", "7 8 9 7 8 9", " 7  8 9\r\n\r\n7 8 9 \n"})
        CHECK_MESSAGE(mark(examples::output(), answer, 1).correct, answer);
    for (const char* answer : {"7 8 9", "789\n789", "7 8 9\n7 8 9\n7 8 9", "9 8 7 9 8 7"}) {
        const Mark got = mark(examples::output(), answer, 1);
        CHECK_MESSAGE(!got.correct, answer);
        CHECK(got.understood);
        CHECK(got.says == "Id 2 twice.");
    }
    const Mark hit = mark(examples::output(), "4 5 6 4 5 6", 1);
    CHECK_FALSE(hit.correct);
    CHECK(hit.says == "Ids count from zero.");
    CHECK(hit.mistake == "one-based-ids");
}

TEST_CASE("a short text is right with enough key points, by stems and in any case") {
    for (const char* answer :
         {"Later code MUTATES it, and the table is Shared.", "It is modified; other tokens need it",
          "row-major, and we change  later what is in it", "Row Major. Mutation."}) {
        const Mark got = mark(examples::text(), answer, 1);
        CHECK_MESSAGE(got.correct, answer);
        CHECK(got.credit == 1);
        CHECK(got.says == examples::text().explanation);
    }
}

TEST_CASE("a short text with too little says what is missing and earns a part") {
    const Mark half = mark(examples::text(), "because it is shared", 1);
    CHECK(half.understood);
    CHECK_FALSE(half.correct);
    CHECK(half.credit == 0.5);
    CHECK(says(half, "- later stages change the output"));
    CHECK(says(half, "- row-major order"));
    CHECK_FALSE(says(half, "shared by all tokens"));

    const Mark none = mark(examples::text(), "no idea at all", 1);
    CHECK_FALSE(none.correct);
    CHECK(none.credit == 0);
    CHECK(says(none, "shared by all tokens"));
}

TEST_CASE("a stem counts at the beginning of a word only, and saying it twice counts once") {
    CHECK(mark(examples::text(), "permutation, unshared", 1).credit == 0);
    CHECK(mark(examples::text(), "shared shared shared", 1).credit == 0.5);
}

TEST_CASE("without a needed count every key point is needed") {
    auto question = examples::text();
    question.needed = 0;
    CHECK_FALSE(mark(question, "mutated and shared", 1).correct);
    CHECK(mark(question, "mutated and shared, row-major", 1).correct);
}

TEST_CASE("nothing that the learner wrote comes back") {
    for (const auto& question :
         {examples::choice(), examples::number(), examples::output(), examples::text()})
        CHECK_FALSE(says(mark(question, "\x1b]0;owned\x07 <script>", 1), "owned"));
}
