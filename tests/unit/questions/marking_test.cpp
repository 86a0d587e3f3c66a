#include "questions/marking.h"

#include "model/errors.h"
#include "questions/draw.h"
#include "unit/questions/examples.h"

#include <doctest/doctest.h>

using model::Standing;
using questions::feedback;
using questions::Mark;

namespace {

Mark mark(const model::Question& question, const std::string& answer) {
    return questions::mark(question, {answer, {}});
}

bool is_right(const Mark& mark) {
    return mark.standing == Standing::right;
}

bool is_wrong(const Mark& mark) {
    return mark.standing == Standing::wrong;
}

bool says(const Mark& mark, const std::string& text) {
    return mark.says.find(text) != std::string::npos;
}

} // namespace

TEST_CASE("an empty answer is asked again, whatever the question") {
    for (const auto& question : examples::all())
        for (const char* answer : {"", " ", "\n\t\r\n"}) {
            const Mark got = mark(question, answer);
            CHECK_FALSE(got.standing);
            CHECK(says(got, "empty"));
        }
}

TEST_CASE("an endless answer is not read") {
    for (const auto& question : examples::all()) {
        CHECK_FALSE(mark(question, std::string(9000, 'a')).standing);
        CHECK_FALSE(mark(question, std::string(1 << 20, '7')).standing);
    }
}

TEST_CASE("nothing that the learner wrote comes back") {
    for (const auto& question : examples::all())
        CHECK_FALSE(says(mark(question, "\x1b]0;owned\x07 <script>"), "owned"));
}

TEST_CASE("a choice is marked by the option's id, wherever it is shown") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto question = questions::drawn(examples::choice(), seed);
        CHECK(is_right(mark(question, "twelve")));
        CHECK(mark(question, " twelve\n").says == "Three rows of four lie before it.");
        const Mark wrong = mark(question, "three");
        CHECK(is_wrong(wrong));
        CHECK(wrong.says == "That is the start of *column* 3.");
        CHECK(wrong.mistake == "reads-column");
    }
}

TEST_CASE("a letter, a number or a text is no id") {
    for (const char* answer : {"a", "1", "Element 12", "Twelve", "twelve three", "\x1b[31m"}) {
        const Mark got = mark(examples::choice(), answer);
        CHECK_FALSE(got.standing);
        CHECK(says(got, "twelve, three, sixteen, nine"));
    }
}

TEST_CASE("several right options are right together and in any order") {
    CHECK(is_right(mark(examples::several(), "twelve nine")));
    CHECK(is_right(mark(examples::several(), "nine  twelve")));
    CHECK(is_wrong(mark(examples::several(), "nine")));
    CHECK(says(mark(examples::several(), "nine"), "there are more"));
    const Mark false_one = mark(examples::several(), "twelve three nine");
    CHECK(is_wrong(false_one));
    CHECK(false_one.mistake == "reads-column");
    CHECK_FALSE(mark(examples::several(), "nine nine").standing);
    CHECK_FALSE(mark(examples::several(), "nine ten").standing);
}

TEST_CASE("an order is right in one way, and a known wrong one says why") {
    CHECK(is_right(mark(examples::order(), "check find copy")));
    CHECK(is_wrong(mark(examples::order(), "check copy find")));
    CHECK(mark(examples::order(), "find copy check").mistake == "writes-first");
    CHECK_FALSE(mark(examples::order(), "check find").standing);
    CHECK_FALSE(mark(examples::order(), "check find find").standing);
    CHECK_FALSE(mark(examples::order(), "check find run").standing);
}

TEST_CASE("pairs are right together, and a wrong one says how many are") {
    CHECK(is_right(mark(examples::pairs(), "t=tokens v=rows c=columns")));
    CHECK(says(mark(examples::pairs(), "t=rows v=tokens c=columns"), "1 of the 3"));
    CHECK(is_wrong(mark(examples::pairs(), "t=rows v=rows c=columns")));
    for (const char* answer :
         {"v=rows", "v=rows v=columns t=tokens", "v=row c=columns t=tokens", "v c t", "=", "rows=v"})
        CHECK_FALSE(mark(examples::pairs(), answer).standing);
}

TEST_CASE("the right number is right in any spelling") {
    for (const char* answer : {"17", "17.0", "5*3+2", "17 elements", "1.7e1", "34/2"})
        CHECK_MESSAGE(is_right(mark(examples::number(), answer)), answer);
}

TEST_CASE("a wrong number hits its misconception, a slip, or nothing") {
    const Mark hit = mark(examples::number(), "18");
    CHECK(is_wrong(hit));
    CHECK(hit.says == "You went down column 2.");
    CHECK(hit.mistake == "reads-column");
    CHECK(mark(examples::number(), "17000").says.find("1,000") != std::string::npos);
    CHECK(mark(examples::number(), "17.000001").says == "That is not it.");
}

TEST_CASE("a drawn number is marked by the values that were drawn") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto question = questions::drawn(examples::bytes(), seed);
        const auto values = questions::values_of(question);
        const double right = values.at("n") * values.at("d") * 4;
        CHECK(is_right(mark(question, std::to_string(right))));
        CHECK(is_right(mark(question, std::to_string(right / 1024) + " KiB")));
        CHECK(says(mark(question, std::to_string(right * 8)), "bits"));
        CHECK(says(mark(question, std::to_string(right / 4)), "numbers"));
    }
}

TEST_CASE("no number is asked again, and a broken formula is our fault") {
    for (const char* answer : {"seventeen", "12,5", "1e999", "NaN", "17 rows"})
        CHECK_FALSE(mark(examples::number(), answer).standing);
    auto broken = examples::number();
    broken.formula = "row *";
    CHECK_THROWS_AS(mark(broken, "17"), model::ContentError);
}

TEST_CASE("predicted output is compared by what it says") {
    for (const char* answer : {"7 8 9\n7 8 9", "7 8 9 7 8 9", " 7  8 9\r\n\r\n7 8 9 \n"})
        CHECK_MESSAGE(is_right(mark(examples::output(), answer)), answer);
    for (const char* answer : {"7 8 9", "789\n789", "7 8 9\n7 8 9\n7 8 9", "9 8 7 9 8 7"})
        CHECK_MESSAGE(is_wrong(mark(examples::output(), answer)), answer);
    CHECK(mark(examples::output(), "4 5 6 4 5 6").mistake == "one-based-ids");
}

TEST_CASE("a short text is kept and never judged") {
    for (const char* answer : {"later stages change the output", "nonsense", "no idea"})
        CHECK(mark(examples::text(), answer).standing == Standing::written);
    CHECK(questions::mark(examples::text(), {"words", {1, 2}}).standing == Standing::written);
    CHECK_FALSE(questions::mark(examples::text(), {"words", {3}}).standing);
    CHECK_FALSE(questions::mark(examples::text(), {"words", {0}}).standing);
}

TEST_CASE("the explanation comes with the right answer, with a text, and with the second wrong one") {
    const auto question = examples::number();
    const std::string explanation = question.explanation;
    CHECK(feedback(question, mark(question, "17"), 1) == explanation);
    CHECK(feedback(question, mark(question, "18"), 1) == "You went down column 2.");
    CHECK(feedback(question, mark(question, "18"), 2) == "You went down column 2.\n\n" + explanation);
    CHECK(feedback(question, mark(question, ""), 5) == "The answer is empty.");
    CHECK(feedback(examples::text(), mark(examples::text(), "words"), 1) == examples::text().explanation);
}
