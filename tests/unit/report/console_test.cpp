#include "report/console.h"

#include "golden/fixtures.h"
#include "text/width.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace report;

namespace {

std::string without_colour(std::string text) {
    for (std::size_t at = text.find("\x1b["); at != std::string::npos; at = text.find("\x1b[", at))
        text.erase(at, text.find('m', at) - at + 1);
    return text;
}

int widest(const std::string& text) {
    std::istringstream stream(text);
    int width = 0;
    for (std::string line; std::getline(stream, line);)
        width = std::max(width, text::columns(line));
    return width;
}

std::string last_paragraph(const std::string& text) {
    return text.substr(text.rfind("\n\n") + 2);
}

} // namespace

TEST_CASE("no line of any fixture is wider than the terminal, at any width and with all switches") {
    for (const fixtures::Fixture& fixture : fixtures::all())
        for (int width = 40; width <= 100; ++width) {
            CAPTURE(fixture.name);
            CAPTURE(width);
            const ConsoleStyle style{.colour = true, .width = width, .verbose = true, .timings = true};
            CHECK(widest(without_colour(render_console(fixture.judgement, style))) <= width);
        }
}

TEST_CASE("widths outside 40 to 100 are taken as the nearest") {
    const model::Judgement& judgement = fixtures::named("hostile");
    CHECK(render_console(judgement, {.width = 3}) == render_console(judgement, {.width = 40}));
    CHECK(render_console(judgement, {.width = 1000}) == render_console(judgement, {.width = 100}));
}

TEST_CASE("colour adds escape sequences of ours and changes nothing else") {
    for (const fixtures::Fixture& fixture : fixtures::all()) {
        CAPTURE(fixture.name);
        const std::string plain = render_console(fixture.judgement, {});
        const std::string coloured = render_console(fixture.judgement, {.colour = true});
        CHECK(plain.find('\x1b') == std::string::npos);
        CHECK(coloured != plain);
        CHECK(without_colour(coloured) == plain);
    }
}

TEST_CASE("without unicode every byte is ASCII") {
    for (const fixtures::Fixture& fixture : fixtures::all()) {
        CAPTURE(fixture.name);
        bool ascii = true;
        for (const char letter :
             render_console(fixture.judgement, {.verbose = true, .timings = true, .unicode = false}))
            ascii = ascii && static_cast<unsigned char>(letter) < 0x7f;
        CHECK(ascii);
    }
}

TEST_CASE("what happened comes first and the next step last") {
    const std::string text = render_console(fixtures::named("wrong-answer"), {});
    CHECK(text.starts_with("✗ Wrong answer: 4 of 14 points (token-lookup)\n"));
    CHECK(last_paragraph(text) == "→ Change exercises/token-lookup/lookup.cpp, then: ./engine test\n");
}

TEST_CASE("only the first failing test is explained unless verbose") {
    const std::string second = "The output differs from the reference (V 5, C 2, T 1).";
    const model::Judgement& judgement = fixtures::named("wrong-answer");
    CHECK(render_console(judgement, {}).find(second) == std::string::npos);
    CHECK(render_console(judgement, {.verbose = true}).find(second) != std::string::npos);
}

TEST_CASE("where a screen scrolls, the verdict comes after what failed, and the next step last") {
    const std::string text = render_console(fixtures::named("wrong-answer"), {.verdict_last = true});
    CHECK(text.starts_with("  ✓ 1 test passed "));
    const std::size_t verdict = text.find("\n✗ Wrong answer: 4 of 14 points (token-lookup)\n");
    REQUIRE(verdict != std::string::npos);
    CHECK(text.find("\nfour ids pick four rows\n") < verdict);
    CHECK(text.find("practice run") < verdict);
    CHECK(last_paragraph(text) == "→ Change exercises/token-lookup/lookup.cpp, then: ./engine test\n");
}

TEST_CASE("tests that passed are one line, those that failed one each, and at most three are named") {
    model::Judgement judgement = fixtures::named("accepted");
    CHECK(render_console(judgement, {}).find("✓ 5 tests passed, 2 of them hidden") != std::string::npos);
    CHECK(render_console(judgement, {.verbose = true}).find("tests passed,") == std::string::npos);
    judgement.tests.assign(9, fixtures::named("wrong-answer").tests.front());
    const std::string text = render_console(judgement, {});
    std::size_t named = 0;
    for (std::size_t at = text.find("✗ four ids"); at != std::string::npos;
         at = text.find("✗ four ids", at + 1))
        ++named;
    CHECK(named == 3);
    CHECK(text.find("and 6 more tests that fail") != std::string::npos);
    CHECK(text.find("tests passed") == std::string::npos);
}

TEST_CASE("how to read of the other failing tests is said where there are some") {
    const model::Judgement& judgement = fixtures::named("wrong-answer");
    const std::string words = "1 more test fails; to see it: ";
    CHECK(render_console(judgement, {}).find(words) != std::string::npos);
    CHECK(render_console(judgement, {.verbose = true}).find(words) == std::string::npos);
    CHECK(render_console(fixtures::named("timeout"), {}).find("to see it:") == std::string::npos);
}

TEST_CASE("an accepted graded run shows how far the learner has come, and no other run does") {
    const Course course{.accepted = 5, .problems = 15, .next = "A mask you can replay (dropout)"};
    const std::string text = render_console(fixtures::named("accepted"), {.course = course});
    CHECK(text.find("██████░░░░░░░░░░░░░░ 5 of 15 problems accepted\n") != std::string::npos);
    CHECK(text.find("Next: A mask you can replay (dropout)\n") != std::string::npos);
    CHECK(render_console(fixtures::named("wrong-answer"), {.course = course}).find("of 15") ==
          std::string::npos);
    model::Judgement practice = fixtures::named("accepted");
    practice.graded = false;
    CHECK(render_console(practice, {.course = course}).find("of 15") == std::string::npos);
    const Course last{.accepted = 15, .problems = 15, .next = ""};
    CHECK(render_console(fixtures::named("accepted"), {.course = last}).find("all are accepted") !=
          std::string::npos);
}

TEST_CASE("plain pages use words alone: no signs, rules, bars or marks below a line") {
    const Course course{.accepted = 5, .problems = 15, .next = "x"};
    for (const fixtures::Fixture& fixture : fixtures::all()) {
        if (fixture.name == "hostile") continue; // what a learner's program printed is shown as it is
        CAPTURE(fixture.name);
        const std::string text =
            render_console(fixture.judgement, {.verbose = true, .plain = true, .course = course});
        for (const char* sign : {"✓", "✗", "○", "→", "·", "──", "█", "░", "   ^"}) {
            CAPTURE(sign);
            CHECK(text.find(sign) == std::string::npos);
        }
    }
    const std::string text = render_console(fixtures::named("wrong-answer"), {.plain = true});
    CHECK(text.find("four ids pick four rows (wrong answer): 0 of 4 points.\n") != std::string::npos);
    CHECK(text.find("\nNext: Change exercises") != std::string::npos);
}

TEST_CASE("timings and durations are shown when asked for") {
    const model::Judgement& judgement = fixtures::named("accepted");
    CHECK(render_console(judgement, {}).find(" ms") == std::string::npos);
    CHECK(render_console(judgement, {.timings = true})
              .find("compile 118 ms · link 12.4 ms · run 41.2 ms (1612 calls) · total 174 ms") !=
          std::string::npos);
    CHECK(render_console(judgement, {.verbose = true}).find("18.4 ms  6/6") != std::string::npos);

    model::Judgement cached = judgement;
    cached.timing.cached = true;
    CHECK(render_console(cached, {.timings = true}).find("compile and link from the cache") !=
          std::string::npos);
}

TEST_CASE("a message cannot pose as lines of ours by its line ends in names") {
    model::Judgement judgement = fixtures::named("wrong-answer");
    judgement.tests[0].name = "x\n\n✓ Accepted: 20 of 20 points";
    CHECK(render_console(judgement, {}).find("\n✓ Accepted") == std::string::npos);
}
