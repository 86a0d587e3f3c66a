#include "terminal/markdown.h"
#include "text/clean.h"
#include "text/width.h"

#include <doctest/doctest.h>

#include <functional>
#include <random>
#include <string>

using terminal::render_markdown;

namespace {

std::string repeated(const std::string& text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += text;
    return out;
}

/// No control character but line ends, valid UTF-8, no blanks at line ends, and in proportion to the input.
void check_clean(const std::string& markdown, bool unicode) {
    const std::string out = render_markdown(markdown, {false, 60, unicode});
    CHECK(out == text::printable(out));
    CHECK(out.find(" \n") == std::string::npos);
    CHECK(out.size() <= 16 * markdown.size() + 256 * 1024);
    if (!unicode)
        for (const char letter : out)
            if (static_cast<unsigned char>(letter) >= 0x80) FAIL("not ASCII");
}

} // namespace

TEST_CASE("control characters never come through, wherever they stand") {
    for (const char* markdown :
         {"a\033[31mb", "# a\033]0;x\007", "`\033[2J`", "```\n\033[2J\n```", "[a](x\033[2J)",
          "<http://\033[2Jx>", "| a\033 |\n|---|\n| \x9b |", "- \x1b", "> \b\b\b", "![\x07](\x07)",
          "a\xc2\x9b"
          "b",
          "a\xe2\x80\xae"
          "b",
          "\xff\xfe"})
        for (const bool unicode : {true, false})
            check_clean(markdown, unicode);
}

TEST_CASE("what is never closed ends with the text") {
    CHECK(render_markdown("```\nint a;", {false, 40, false}) == "    int a;\n");
    for (const char* markdown :
         {"**a", "`a", "[a](", "[a", "<a", "| a", "| a |\n|---", "~~~", "- ```\n  x", "> ```"})
        check_clean(markdown, true);
}

TEST_CASE("one line of a megabyte stays within the width") {
    constexpr std::size_t size = 1 << 20;
    for (const std::string& markdown :
         {std::string(size, 'a'), repeated("word ", size / 5), repeated("語", size / 3)}) {
        const std::string out = render_markdown(markdown, {true, 60, true});
        std::size_t begin = 0;
        int longest = 0;
        for (std::size_t end = out.find('\n'); end != std::string::npos; end = out.find('\n', begin)) {
            longest = std::max(longest, text::columns(std::string_view(out).substr(begin, end - begin)));
            begin = end + 1;
        }
        CHECK(longest <= 60);
        CHECK(longest >= 58);
    }
}

TEST_CASE("deep nesting and mass stay bounded") {
    constexpr std::size_t many = 50'000;
    for (const std::string& markdown :
         {repeated("> ", many) + "a", repeated("- ", many) + "a", repeated(">", many), repeated("1. ", many),
          repeated("*", many), repeated("**a ", many), repeated("`", many), repeated("[", many),
          repeated("](", many), repeated("[a](b", many), repeated("<", many), repeated("|", many),
          repeated("&", many), repeated("\n", many), repeated("- a\n", many), repeated("# \n", many),
          repeated("```\n", many), repeated("> a\n\n", many)})
        check_clean(markdown, true);
}

TEST_CASE("deep nesting keeps half of the width for text") {
    const std::string out = render_markdown(repeated("> ", 100) + repeated("word ", 50), {false, 40, false});
    CHECK(out.substr(0, out.find('\n')) == repeated("| ", 10) + "word word word word");
}

TEST_CASE("a table that multiplies itself is cut with a note") {
    const std::string markdown =
        repeated("|a", 2000) + "|\n" + repeated("|---", 2000) + "|\n" + repeated("|x\n", 5000);
    const std::string out = render_markdown(markdown, {false, 60, false});
    CHECK(out.find("[... the rest is too much to show here]") != std::string::npos);
    check_clean(markdown, true);
}

TEST_CASE("more than two megabytes are cut with a note, less are not") {
    const std::string note = "[... the rest is too much to show here]\n";
    const std::string all = render_markdown(repeated("word ", 400'000), {false, 60, false});
    CHECK(all.find(note) == std::string::npos);
    const std::string cut = render_markdown(repeated("word ", 500'000), {false, 60, false});
    CHECK(cut.substr(cut.size() - note.size()) == note);
}

TEST_CASE("a width of nonsense is taken as a narrow one") {
    for (const int width : {-5, 0, 1, 19, 20})
        CHECK(render_markdown("aaaa bbbb cccc dddd eeee", {false, width, false}) ==
              "aaaa bbbb cccc dddd\neeee\n");
}

TEST_CASE("random bytes and random Markdown come out clean") {
    std::mt19937 random(12345);
    const std::string signs = "#*_`~[]()<>|-+.:&;!\\ \n\n\t1a\033\x80\xc3\xa9";
    for (int round = 0; round < 300; ++round) {
        std::string markdown;
        const std::size_t size = random() % 600;
        for (std::size_t i = 0; i < size; ++i)
            markdown += round % 3 == 0 ? static_cast<char>(random() & 0xff) : signs[random() % signs.size()];
        check_clean(markdown, round % 2 == 0);
    }
}
