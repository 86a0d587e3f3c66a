#include "report/github_summary.h"

#include "golden/fixtures.h"

#include <doctest/doctest.h>

#include <string>

namespace {

bool contains(const std::string& text, const std::string& word) {
    return text.find(word) != std::string::npos;
}

} // namespace

TEST_CASE("a summary of any size stays below the limit, ends whole and says what is missing") {
    model::Judgement judgement = fixtures::named("wrong-answer");
    judgement.tests.resize(1);
    judgement.tests.front().output.assign(1 << 16, '\x1b');
    judgement.tests.resize(200, judgement.tests.front());
    const std::string text = report::render_github_summary(judgement);
    CHECK(text.size() <= report::summary_limit);
    CHECK(text.size() > report::summary_limit / 2);
    CHECK(contains(text, "parts left out: GitHub shows at most 1 MiB. The JSON report has all.*"));
    CHECK(text.ends_with("Change exercises/token-lookup/lookup.cpp, then&#58; ./engine test\n"));
}

TEST_CASE("a summary of usual size leaves nothing out") {
    for (const fixtures::Fixture& fixture : fixtures::all()) {
        CAPTURE(fixture.name);
        CHECK(!contains(report::render_github_summary(fixture.judgement), "left out"));
    }
}

TEST_CASE("hostile text stays inside code blocks or is escaped") {
    // Outside fenced blocks no tag but ours may stand, and no line of the learner's opens one.
    const std::string text = report::render_github_summary(fixtures::named("hostile"));
    std::string fence, outside;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        if (fence.empty() && line.starts_with("```"))
            fence = line.substr(0, line.find_first_not_of('`'));
        else if (!fence.empty() && line == fence)
            fence.clear();
        else if (fence.empty())
            outside += line + "\n";
    }
    CHECK(fence.empty());
    CHECK(!contains(outside, "<script"));
    CHECK(!contains(outside, "](javascript"));
    CHECK(!contains(outside, "@all www"));
    CHECK(!contains(outside, "\n::error"));
    CHECK(contains(outside, "<details>"));
}
