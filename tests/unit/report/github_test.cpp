#include "report/github.h"

#include "golden/fixtures.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::size_t starting_with(const std::vector<std::string>& lines, const std::string& start) {
    return static_cast<std::size_t>(std::count_if(
        lines.begin(), lines.end(), [&start](const std::string& line) { return line.starts_with(start); }));
}

} // namespace

TEST_CASE("a compiler message is annotated at its place in the repository") {
    const std::string text = report::render_github(fixtures::named("compile-error"));
    CHECK(text.find("::error file=exercises/token-lookup/lookup.cpp,line=12,col=34,title=compiler error::A "
                    "semicolon") != std::string::npos);
    CHECK(text.find("::warning file=exercises/token-lookup/lookup.cpp,line=9,") != std::string::npos);
}

TEST_CASE("an accepted submission is a notice and no error") {
    const auto lines = lines_of(report::render_github(fixtures::named("accepted")));
    CHECK(starting_with(lines, "::notice ") == 1);
    CHECK(starting_with(lines, "::error") == 0);
}

TEST_CASE("no line of a learner's is a workflow command") {
    // The runner trims blanks before it looks for "::", and takes "##[" anywhere.
    const auto lines = lines_of(report::render_github(fixtures::named("hostile")));
    std::string token;
    for (const std::string& line : lines) {
        CAPTURE(line);
        CHECK(line.find("##[") == std::string::npos);
        CHECK(line.find('\x1b') == std::string::npos);
        if (line.starts_with("::stop-commands::")) {
            CHECK(token.empty());
            token = line.substr(17);
        } else if (!token.empty()) {
            const bool end = line == "::" + token + "::";
            CHECK((end || line.starts_with("| ")));
            if (end) token.clear();
        } else {
            const bool ours = line.starts_with("::error file=\\x1b]0;owned") ||
                              line.starts_with("::group::") || line == "::endgroup::" ||
                              line == "graded, isolation E, seed 18446744073709551615";
            CHECK(ours);
        }
    }
    CHECK(token.empty());
}

TEST_CASE("at most ten annotations are written, and the last one counts the rest") {
    model::Judgement judgement = fixtures::named("compile-error");
    judgement.compile.diagnostics.resize(1);
    judgement.compile.diagnostics.resize(40, judgement.compile.diagnostics.front());
    const auto lines = lines_of(report::render_github(judgement));
    CHECK(starting_with(lines, "::error ") == 9);
    CHECK(starting_with(lines, "::notice ") == 1);
    CHECK(starting_with(lines, "::notice file=exercises/token-lookup/lookup.cpp,title=32 more messages::") ==
          1);
    judgement.compile.diagnostics.resize(9);
    const auto few = lines_of(report::render_github(judgement));
    CHECK(starting_with(few, "::error ") == 10);
    CHECK(starting_with(few, "::notice ") == 0);
}

TEST_CASE("tests with most points are annotated first, and all of them are in the list of the log") {
    const auto lines = lines_of(report::render_github(fixtures::named("many-failures")));
    const auto place_of = [&](const std::string& start) {
        return std::ranges::find_if(lines,
                                    [&](const std::string& line) { return line.find(start) < line.size(); }) -
               lines.begin();
    };
    CHECK(place_of("title=token-lookup") < place_of("title=row 11"));
    CHECK(place_of("title=row 11") < place_of("title=row 10"));
    CHECK(place_of("title=row 4") < static_cast<std::ptrdiff_t>(lines.size()));
    CHECK(place_of("title=row 3") == static_cast<std::ptrdiff_t>(lines.size()));
    CHECK(starting_with(lines, "| row ") == 12);
}

TEST_CASE("a crash is annotated at its line") {
    CHECK(report::render_github(fixtures::named("crash"))
              .find("::error file=exercises/token-lookup/lookup.cpp,line=21,title=an id outside") !=
          std::string::npos);
}

TEST_CASE("a group's title is data, in which the runner decodes neither a colon nor a comma") {
    const std::string text = report::render_github(fixtures::named("crash"));
    CHECK(text.find("::group::printed during: an id outside the table is refused with its position, value") !=
          std::string::npos);
}

TEST_CASE("a title is a property, in which both would end it") {
    model::Judgement judgement = fixtures::named("wrong-answer");
    judgement.tests.front().name = "a, b: c";
    judgement.tests.front().verdict = model::Verdict::wrong_answer;
    CHECK(report::render_github(judgement).find("title=a%2C b%3A c%3A wrong answer::") != std::string::npos);
}
