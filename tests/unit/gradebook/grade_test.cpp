#include "gradebook/grade.h"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using coursework::Assignment;
using coursework::Instant;
using gradebook::Attempt;
using gradebook::Book;
using gradebook::Grade;
using gradebook::grades_of;
using gradebook::State;

namespace {

/// One student, one problem, a judgement of a quarter (1), half (2) and all (4) of the points.
struct Class {
    Book book;
    Assignment assignment;

    Class() {
        book.students.push_back({{"ada", "Ada", "", ""}, true});
        for (const int quarters : {1, 2, 4})
            book.judged[quarters] = {.problem = "p", .points = 5.0 * quarters, .max_points = 20};
        assignment.problems = {{"p", 1}};
    }

    Attempt& hand_in(Instant when, State state, std::optional<gradebook::Id> judgement = {}) {
        Attempt attempt;
        attempt.id = static_cast<gradebook::Id>(book.attempts.size()) + 1;
        attempt.student = "ada";
        attempt.submitted = when;
        attempt.works.push_back({"p", state, "hash", "", "", judgement});
        book.attempts.push_back(attempt);
        return book.attempts.back();
    }
    Grade grade() const { return grades_of(book, assignment).at(0); }
};

const Instant noon(1'000'000s);

} // namespace

TEST_CASE_FIXTURE(Class, "nothing handed in is nothing, and complete") {
    CHECK(grade().percent == 0);
    CHECK(grade().complete);
    CHECK(grade().problems[0].attempt == nullptr);
}

TEST_CASE_FIXTURE(Class, "the last attempt counts, or the best one") {
    hand_in(noon, State::judged, 4);
    hand_in(noon + 1h, State::judged, 2);
    CHECK(grade().percent == 50);
    assignment.counts = coursework::Counts::best;
    CHECK(grade().percent == 100);
}

TEST_CASE_FIXTURE(Class, "an attempt without the problem leaves the one before it in force") {
    hand_in(noon, State::judged, 2);
    hand_in(noon + 1h, State::missing);
    CHECK(grade().percent == 50);
    CHECK(gradebook::needed_works(book, assignment).size() == 1);
}

TEST_CASE_FIXTURE(Class, "an untouched starter is nothing; what is not judged costs nothing") {
    hand_in(noon, State::starter);
    CHECK(grade().percent == 0);
    CHECK(grade().complete);
    assignment.problems.push_back({"q", 3});
    book.judged[9] = {.problem = "q", .points = 3, .max_points = 4};
    Attempt& attempt = hand_in(noon + 1h, State::unjudged);
    attempt.works.push_back({"q", State::judged, "hash", "", "", 9});
    CHECK(grade().percent == 75); // of q alone
    CHECK_FALSE(grade().complete);
    CHECK_FALSE(grade().problems[0].share);
}

TEST_CASE_FIXTURE(Class, "weights are relative") {
    assignment.problems = {{"p", 1}, {"q", 3}};
    hand_in(noon, State::judged, 4);
    CHECK(grade().percent == 25); // q is missing
}

TEST_CASE_FIXTURE(Class, "a late attempt loses, and one that is too late does not replace one in time") {
    assignment.deadline = noon;
    assignment.late = {.percent_per_day = 20, .max_days = 1};
    hand_in(noon - 1h, State::judged, 2);
    hand_in(noon + 72h, State::judged, 4);
    CHECK(grade().percent == 50);
    hand_in(noon + 1h, State::judged, 4);
    std::swap(book.attempts[1], book.attempts[2]); // they are in the order of their time
    CHECK(grade().percent == doctest::Approx(80));
}

TEST_CASE_FIXTURE(Class, "only too late is shown, and counts nothing") {
    assignment.deadline = noon;
    assignment.late = {.max_days = 0};
    hand_in(noon + 1h, State::judged, 4);
    CHECK(grade().percent == 0);
    CHECK(grade().problems[0].attempt != nullptr);
}

TEST_CASE_FIXTURE(Class, "questions make up their share, and a text that a person marks counts neither way") {
    assignment.questions_percent = 40;
    using model::Standing;
    Attempt& attempt = hand_in(noon, State::judged, 4);
    CHECK(grade().percent == doctest::Approx(60)); // none answered
    attempt.answers = {{"p", "a", "numeric", Standing::right, "1"},
                       {"p", "b", "numeric", Standing::open, ""},
                       {"p", "c", "short_text", Standing::written, "because"},
                       {"q", "d", "numeric", Standing::right, "1"}};
    CHECK(grade().percent == doctest::Approx(80));
}

TEST_CASE_FIXTURE(Class, "a person has the last word, the last one if there are several") {
    hand_in(noon, State::unclear);
    CHECK_FALSE(grade().complete);
    book.changes = {{"ada", "p", 30, "prof", "mail", ""},
                    {"ada", "p", 70, "prof", "looked again", ""},
                    {"bob", "p", 10, "prof", "other", ""}};
    CHECK(grade().percent == doctest::Approx(70));
    CHECK(grade().complete);
    CHECK(grade().problems[0].change->why == "looked again");
}

TEST_CASE_FIXTURE(Class, "a submission that could not be taken at all makes the grade incomplete") {
    Attempt& attempt = hand_in(noon, State::missing);
    attempt.works.clear();
    attempt.trouble = "the archive is damaged";
    CHECK_FALSE(grade().complete);
    CHECK(grade().trouble != nullptr);
}

TEST_CASE_FIXTURE(Class, "only what may count has to be judged") {
    hand_in(noon, State::waiting);
    hand_in(noon + 1h, State::waiting);
    CHECK(gradebook::needed_works(book, assignment).size() == 1);
    CHECK(gradebook::needed_works(book, assignment)[0].attempt->id == 2);
    assignment.counts = coursework::Counts::best;
    CHECK(gradebook::needed_works(book, assignment).size() == 2);
}
