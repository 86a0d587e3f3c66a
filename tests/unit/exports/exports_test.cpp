#include "exports/formats.h"

#include "coursework/csv.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using exports::File;
using exports::file_name_of;
using model::Verdict;
using Json = nlohmann::json;

namespace {

/// A student whose name is an attack, with a wrong answer to p (weight 3) and nothing for q; and Bob, who is
/// not judged yet.
struct Class {
    gradebook::Book book;
    coursework::Assignment assignment;
    coursework::Outcome outcome;

    Class() {
        assignment.title = "Week <3>";
        assignment.problems = {{"p", 3}, {"q", 1}};
        outcome.problem = "p";
        outcome.verdict = Verdict::wrong_answer;
        outcome.points = 5;
        outcome.max_points = 20;
        outcome.summary = "One test failed.";
        outcome.engine = "1.0";
        outcome.tests = {
            {"visible", Verdict::accepted, 5, 5, false, "", "", "", 0},
            {"<b>", Verdict::wrong_answer, 0, 5, false, "got \x1b[2J<script>", "look at p", "p.cpp", 7},
            {"secret", Verdict::run_time_error, 0, 10, true, "", "", "", 0}};
        book.judged[1] = {.problem = "p",
                          .verdict = Verdict::wrong_answer,
                          .points = 5,
                          .max_points = 20,
                          .isolation = "A"};
        book.students = {{{"=ada", "<i>Ada</i>", "ada@x.org", "A"}, true}, {{"bob", "Bob", "", ""}, true}};
        book.attempts = {
            {1, "=ada", "ada.zip", {}, "", {{"p", gradebook::State::judged, "h", "", "", 1}}, {}},
            {2, "bob", "bob", {}, "", {{"p", gradebook::State::unjudged, "h", "no memory", "", {}}}, {}}};
        book.attempts[0].answers = {{"p", "why", "short_text", model::Standing::written, "=1+1"}};
    }

    std::vector<File> render(const char* name) const {
        const auto grades = gradebook::grades_of(book, assignment);
        const exports::GradedClass graded{assignment, book, grades, [&](gradebook::Id) { return outcome; },
                                          "2026-01-01T00:00:00Z"};
        return std::ranges::find(exports::formats(), name, &exports::Format::name)->render(graded);
    }
    Json json(const char* name, std::size_t file = 0) const {
        return Json::parse(render(name).at(file).text);
    }
};

} // namespace

TEST_CASE_FIXTURE(Class, "a table has a row a student, no formula, and no zero for what is not known") {
    for (const char* name : {"csv", "canvas", "moodle"}) {
        const auto rows = coursework::read_csv(name, render(name).at(0).text);
        const std::size_t first = std::string(name) == "canvas" ? 2 : 1;
        REQUIRE(rows.size() == first + 2);
        for (const auto& row : rows) {
            CHECK(row.cells.size() == rows[0].cells.size());
            for (const std::string& cell : row.cells)
                CHECK_FALSE(coursework::is_formula(cell));
        }
        const std::string& bob =
            std::string(name) == "csv" ? rows[first + 1].cells.at(6) : rows[first + 1].cells.back();
        CHECK(bob.empty());
    }
    CHECK(coursework::read_csv("csv", render("csv").at(0).text)[1].cells.at(4) ==
          "18.75"); // a quarter of 75 %
}

TEST_CASE_FIXTURE(Class, "texts that a person marks are listed") {
    const auto rows = coursework::read_csv("answers", render("answers").at(0).text);
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].cells == std::vector<std::string>{"p", "why", "'=ada", "'=1+1"});
}

TEST_CASE_FIXTURE(Class, "Gradescope's tests add up to what is scored, and a hidden one says nothing") {
    const Json results = json("gradescope");
    double sum = 0;
    for (const Json& test : results.at("tests")) {
        sum += test.at("score").get<double>();
        CHECK(test.at("visibility") == "visible"); // with a hidden one, students would not see their total
    }
    CHECK(sum == doctest::Approx(results.at("score").get<double>()));
    CHECK(results.at("tests").size() == 3);
    CHECK(results.at("tests")[1].at("status") == "failed");
    CHECK(results.at("tests")[2].at("output") == "");
    CHECK(json("gradescope", 1).at("tests").empty());
}

TEST_CASE_FIXTURE(Class, "Classroom 50 gets whole numbers") {
    const Json result = json("classroom50");
    CHECK(result.at("schema") == "classroom50/result/v1");
    CHECK(result.at("score") == 1875);
    CHECK(result.at("max-score") == 10000);
    for (const Json& test : result.at("tests")) {
        CHECK(test.at("score").is_number_integer());
        CHECK(test.at("max-score").is_number_integer());
    }
}

TEST_CASE_FIXTURE(Class, "Exercism gets a status a test, and a message for what did not compile") {
    const Json results = json("exercism");
    CHECK(results.at("version") == 3);
    CHECK(results.at("status") == "fail");
    CHECK(results.at("tests")[0].at("status") == "pass");
    CHECK(results.at("tests")[1].at("status") == "fail");
    CHECK(results.at("tests")[2].at("status") == "error");
    outcome.verdict = Verdict::compile_error;
    outcome.compiler_messages = {{"p.cpp", 3, 1, true, "expected ;"}};
    CHECK(json("exercism").at("status") == "error");
    CHECK(json("exercism").at("message") == "One test failed.\np.cpp:3: expected ;");
    CHECK(render("exercism").size() == 1); // Bob has no judgement
}

TEST_CASE_FIXTURE(Class, "SARIF has the lines that are known") {
    const Json results = json("sarif").at("runs")[0].at("results");
    REQUIRE(results.size() == 2);
    const Json place = results[0].at("locations")[0].at("physicalLocation");
    CHECK(place.at("artifactLocation").at("uri") == "p/p.cpp");
    CHECK(place.at("region").at("startLine") == 7);
    CHECK_FALSE(results[1].contains("locations"));
}

TEST_CASE_FIXTURE(Class, "a page of feedback is escaped and names nobody else") {
    const auto pages = render("html");
    REQUIRE(pages.size() == 2);
    for (const char* never : {"<script>", "<i>", "<b>", "\x1b", "Bob", "bob"})
        CHECK_MESSAGE(pages[0].text.find(never) == std::string::npos, never);
    for (const char* said :
         {"18.8 %", "One test failed.", "look at p", "secret (hidden)", "Nothing was handed in."})
        CHECK_MESSAGE(pages[0].text.find(said) != std::string::npos, said);
    CHECK(pages[1].text.find("costs no points") != std::string::npos);
}

TEST_CASE("a student's id cannot choose where a file goes") {
    CHECK(file_name_of("ada.l@x.org") == "ada.l@x.org");
    for (const char* id : {"../ada", "a/b", ".ada", "", "a\nb", "\xc3\xa4"}) {
        const std::string name = file_name_of(id);
        CHECK(name.find('/') == std::string::npos);
        CHECK_FALSE(name.starts_with('.'));
        CHECK_FALSE(name.empty());
    }
    CHECK(file_name_of("a/b") != file_name_of("a:b"));
    CHECK(file_name_of(std::string(5000, 'a')).size() < 200);
}
