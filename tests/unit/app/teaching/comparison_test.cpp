#include "app/teaching/comparison.h"

#include <doctest/doctest.h>

using gradebook::Book;
using gradebook::State;
using model::Verdict;
using teaching::compare;
using teaching::with_replacements;

namespace {

gradebook::Judged judged(double points, std::vector<gradebook::TestRow> tests) {
    return {.problem = "p", .points = points, .max_points = 10, .tests = std::move(tests)};
}

/// Ada and Bob have the judgement 1; there is a judgement 2 with a test more, and with fewer points.
struct Class {
    Book book;
    coursework::Assignment assignment;

    Class() {
        assignment.problems = {{"p", 1}};
        book.judged[1] = judged(10, {{"first", Verdict::accepted, 5, 5}, {"old", Verdict::accepted, 5, 5}});
        book.judged[2] =
            judged(5, {{"first", Verdict::accepted, 5, 5}, {"new", Verdict::wrong_answer, 0, 5}});
        for (const char* student : {"ada", "bob"}) {
            book.students.push_back({{student, "", "", ""}, true});
            gradebook::Attempt attempt;
            attempt.id = static_cast<gradebook::Id>(book.attempts.size()) + 1;
            attempt.student = student;
            attempt.works = {{"p", State::judged, "hash", "", "", 1}};
            book.attempts.push_back(attempt);
        }
    }
};

} // namespace

TEST_CASE_FIXTURE(Class, "who keeps the judgement is not listed") {
    CHECK(compare(book, book, assignment).students == 0);
    CHECK(compare(book, book, assignment).text.empty());
}

TEST_CASE_FIXTURE(Class, "exactly those are listed whose tests or points differ, test by test") {
    const auto compared = compare(book, with_replacements(book, {{2, "p", 2}}), assignment);
    CHECK(compared.students == 1);
    CHECK(compared.text == "  bob: 100.0 %, now 50.0 %\n"
                           "    p: 10 of 10 points, now 5 of 10\n"
                           "      old: accepted, now not there\n"
                           "      new: not there, now wrong answer\n");
}

TEST_CASE_FIXTURE(Class, "a grade that a person has set stays, and the tests are shown all the same") {
    book.changes = {{"ada", "p", 70, "prof", "why", ""}};
    const auto compared = compare(book, with_replacements(book, {{1, "p", 2}}), assignment);
    CHECK(compared.text.starts_with("  ada: 70.0 %, now 70.0 %\n"));
}
