#include "similarity/page.h"

#include "classes.h"

#include <doctest/doctest.h>

using similarity::ProblemResult;

namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::vector<ProblemResult> results(std::vector<similarity::Program> programs = small_class()) {
    auto comparison = similarity::compare(programs, {first_tokens(1, 2, 40), first_tokens(3, 4, 70)});
    return {{"first-row", std::move(programs), std::move(comparison), ""}};
}

} // namespace

TEST_CASE("a page has the pairs and their parts side by side") {
    const std::string page = similarity::page("Week 3", results(), 10);
    CHECK(has(page, "accepted programs of the course share 40 % as a rule, 40 % at most"));
    CHECK(has(page, "<h3>1. first-row: 70 % in common</h3>"));
    CHECK(has(page, "<mark class=\"s0\"><sup>1</sup>ada ada"));
    CHECK(has(page, "<mark class=\"s0\"><sup>1</sup>bob bob"));
    CHECK_FALSE(has(page, "<script"));
    CHECK_FALSE(has(page, "http"));
}

TEST_CASE("what students wrote is text") {
    auto programs = small_class();
    programs[3].names = {"<script>alert(1)</script>\x1b[2J"};
    programs[3].text = "<b>" + programs[3].text.substr(3);
    const auto found = results(std::move(programs));
    const std::string page = similarity::page("<i>", found, 10);
    for (const char* markup : {"<script", "<b>", "<i>"})
        CHECK_FALSE(has(page, markup));
    CHECK_FALSE(has(similarity::table(found, 10), "\x1b"));
}

TEST_CASE("neither page nor table accuses") {
    auto programs = small_class();
    programs[3].names = {"ada", "eve"};
    auto found = results(std::move(programs));
    found[0].trouble = "not all is compared";
    for (const std::string& text : {similarity::page("t", found, 10), similarity::table(found, 10)})
        for (const char* word :
             {"plagiar", "cheat", "copied", "copying", "suspic", "guilt", "fraud", "dishonest"})
            CHECK_FALSE(has(text, word));
}

TEST_CASE("equal programs are listed with all names") {
    auto programs = small_class();
    programs[3].names = {"eve", "ada", "ada"};
    programs[4].names = {"bob", "bob"}; // two attempts
    const std::string table = similarity::table(results(std::move(programs)), 10);
    CHECK(has(table, "the same but for layout, comments and preprocessor lines: ada, eve\n"));
    CHECK_FALSE(has(table, "lines: bob"));
}

TEST_CASE("no more pairs are shown than wanted, and the rest is counted") {
    auto found = results();
    found.push_back(found[0]);
    CHECK(has(similarity::table(found, 1), "and 1 more"));
    CHECK(has(similarity::page("t", found, 1), "and 1 more"));
    CHECK(has(similarity::table({}, 1), "No two programs have more in common than that."));
}
