#include "exports/dashboard.h"
#include "exports/items.h"

#include <doctest/doctest.h>

using exports::Items;
using exports::items_of;
using model::Verdict;

namespace {

/// Students of rising strength: student i passes `good` from 2 on, `random` if even, `easy` always and `hard`
/// never.
struct RisingClass {
    gradebook::Book book;
    coursework::Assignment assignment;

    explicit RisingClass(int size = 4) {
        assignment.problems = {{"p", 1}};
        for (int i = 0; i < size; ++i) {
            const auto row = [](const char* name, bool passed) {
                return gradebook::TestRow{name, passed ? Verdict::accepted : Verdict::wrong_answer,
                                          passed ? 5.0 : 0.0, 5};
            };
            gradebook::Judged judged{.problem = "p", .points = 0, .max_points = 25};
            judged.tests = {row("good", i >= 2), row("random", i % 2 == 0), row("easy", true),
                            row("hard", false), row("also good", i >= 2)};
            for (const gradebook::TestRow& test : judged.tests)
                judged.points += test.points;
            judged.mistakes = {{i < 2 ? "off-by-one" : "other", i % 4 != 3}};
            judged.took = std::chrono::milliseconds(100 * (i + 1));
            book.judged[i] = judged;
            const std::string id = "s" + std::to_string(i);
            book.students.push_back({{id, "<script>", "", ""}, true});
            book.attempts.push_back(
                {i, id, id, {}, "", {{"p", gradebook::State::judged, "h", "", "", i}}, {}});
            book.attempts.back().answers = {{"p", "q", "multiple_choice",
                                             i == 0 ? model::Standing::wrong : model::Standing::right,
                                             i == 0 ? "b" : "a"},
                                            {"p", "open", "numeric", model::Standing::open, ""}};
        }
    }

    template <class Use>
    void with(Use use) const {
        const auto grades = gradebook::grades_of(book, assignment);
        use(exports::GradedClass{assignment, book, grades, {}, "2026-01-01T00:00:00Z"});
    }
    Items items() const {
        Items items;
        with([&](const exports::GradedClass& graded) { items = items_of(graded); });
        return items;
    }
    std::string page() const {
        std::string page;
        with(
            [&](const exports::GradedClass& graded) { page = exports::render_dashboard(graded).at(0).text; });
        return page;
    }
};

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE_FIXTURE(RisingClass, "tests are counted, and divide or do not") {
    const Items all = items();
    REQUIRE(all.tests.size() == 5);
    CHECK(all.tests[0].failed == 2);
    CHECK(all.tests[0].failure_rate() == 0.5);
    REQUIRE(all.tests[0].discrimination);
    // The rest of `good`: 10, 5, 15, 10 for failed, failed, passed, passed; r = 2.5 / sqrt(0.25 * 12.5).
    CHECK(*all.tests[0].discrimination == doctest::Approx(0.7071).epsilon(0.001));
    CHECK(*all.tests[1].discrimination == doctest::Approx(0));
    CHECK_FALSE(all.tests[2].discrimination); // all passed
    CHECK_FALSE(all.tests[3].discrimination); // none did
}

TEST_CASE_FIXTURE(RisingClass, "mistakes are counted by students, and answers by what was said") {
    const Items all = items();
    CHECK(all.mistakes.at("p: off-by-one").students == 2);
    CHECK(all.mistakes.at("p: other").uncertain == 1);
    REQUIRE(all.questions.size() == 1); // the other one was not answered
    CHECK(all.questions[0].answered == 4);
    CHECK(all.questions[0].right == 3);
    CHECK(all.questions[0].answers.at("b") == 1);
}

TEST_CASE_FIXTURE(RisingClass, "an attempt that does not count is not counted") {
    gradebook::Attempt old = book.attempts[3];
    old.id = 99;
    old.submitted -= std::chrono::hours(1);
    book.attempts.insert(book.attempts.begin(), old);
    CHECK(items().tests[0].runs == 4);
}

TEST_CASE_FIXTURE(RisingClass, "the page says what needs attention, escapes names and loads nothing") {
    book.attempts[1].works[0] = {"p", gradebook::State::unjudged, "h", "no memory", "", {}};
    const std::string html = page();
    CHECK(has(html, "Nobody passes: p, hard (3 runs)"));
    CHECK(has(html, "s1, p: no memory"));
    CHECK_FALSE(has(html, "Nobody passes: p, easy"));
    CHECK_FALSE(has(html, "Says little")); // of three runs that would be chance
    CHECK_FALSE(has(html, "<td><script>"));
    for (const char* loads : {"src=", "http://", "https://", "url(", "@import"})
        CHECK_FALSE_MESSAGE(has(html, loads), loads);
}

TEST_CASE("a test that divides at random is named once there are enough runs") {
    const RisingClass large(12);
    CHECK(has(large.page(), "Says little about the rest of the work: p, random"));
    CHECK_FALSE(has(large.page(), "rest of the work: p, good"));
}

TEST_CASE("the most frequent mistake comes first") {
    const std::string html = RisingClass(5).page(); // two of one, three of the other
    CHECK(html.find("p: other</td><td class=\"number\">3</td><td class=\"number\">2") <
          html.find("p: off-by-one</td><td class=\"number\">2"));
    CHECK(has(html, "p: off-by-one</td><td class=\"number\">2</td><td class=\"number\">2"));
}

TEST_CASE("a name that explains only some failures in most works is worth a look") {
    RisingClass many(12);
    CHECK_FALSE(has(many.page(), "seldom explains"));
    for (auto& [id, judged] : many.book.judged)
        judged.mistakes[0].certain = id < 3;
    CHECK(has(many.page(), "A name that seldom explains all failures: p: other (9 of 10 students)"));
}

TEST_CASE("time is told by problem, and who took far more of it, or of attempts, stands out") {
    RisingClass twelve(12);
    const Items items = twelve.items();
    REQUIRE(items.problems.size() == 1);
    CHECK(items.problems[0].judged == 12);
    CHECK(items.problems[0].median == std::chrono::milliseconds(700));
    CHECK(items.problems[0].longest == std::chrono::milliseconds(1'200));
    CHECK_FALSE(has(twelve.page(), "Slow to judge"));
    CHECK_FALSE(has(twelve.page(), "Many attempts"));

    twelve.book.judged[4].took = std::chrono::milliseconds(6'000);
    CHECK(has(twelve.page(), "Slow to judge: s4, p (6.0 s, half of the class less than 0.8 s)"));
    gradebook::Attempt earlier = twelve.book.attempts[7];
    for (int i = 0; i < 5; ++i) {
        earlier.id = 100 + i;
        twelve.book.attempts.insert(twelve.book.attempts.begin(), earlier);
    }
    CHECK(has(twelve.page(), "Many attempts: s7 (6, half of the class at most 1)"));
}

TEST_CASE("an empty class has a page") {
    const RisingClass none(0);
    CHECK(has(none.page(), "0 students"));
}
