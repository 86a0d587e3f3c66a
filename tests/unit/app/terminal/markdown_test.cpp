#include "terminal/markdown.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

using terminal::render_markdown;
using terminal::Style;

namespace {

std::string unstyled(const char* markdown, int width = 40) {
    return render_markdown(markdown, {false, width, false});
}

const std::string goldens = ENGINE_SOURCE_DIR "/tests/unit/app/terminal/golden/";

std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Escape sequences are kept in the golden file as \e, so that it can be read and compared anywhere.
std::string visible(std::string text) {
    for (std::size_t at = text.find('\033'); at != std::string::npos; at = text.find('\033', at))
        text.replace(at, 1, "\\e");
    return text;
}

void check_golden(const std::string& name, const Style& style) {
    const std::string got = visible(render_markdown(contents(goldens + "statement.md"), style));
    if (std::getenv("ENGINE_APPROVE") != nullptr) std::ofstream(goldens + name, std::ios::binary) << got;
    CHECK_MESSAGE(got == contents(goldens + name), name,
                  ": run with ENGINE_APPROVE=1 and read the difference");
}

} // namespace

TEST_CASE("a statement reads well at every width, with and without colour and Unicode") {
    check_golden("statement.80.txt", {false, 80, true});
    check_golden("statement.40.txt", {false, 40, true});
    check_golden("statement.40.ascii.txt", {false, 40, false});
    check_golden("statement.80.colour.txt", {true, 80, true});
    check_golden("statement.40.colour.txt", {true, 40, true});
}

TEST_CASE("headings stand out without colour too") {
    CHECK(unstyled("# One\n## Two\n### Three") == "One\n===\n\nTwo\n---\n\n### Three\n");
    CHECK(render_markdown("## Two\n### Three", {true, 40, false}) ==
          "\033[1mTwo\033[0m\n\n\033[1mThree\033[0m\n");
}

TEST_CASE("inline marks stay without colour and become colour with it") {
    CHECK(unstyled("a `b` *c* **d**") == "a `b` *c* **d**\n");
    CHECK(render_markdown("a `b` *c* **d**", {true, 40, false}) ==
          "a \033[1mb\033[0m \033[3mc\033[0m \033[1md\033[0m\n");
}

TEST_CASE("links show their text and address, and an address once") {
    CHECK(unstyled("[paper](https://x.org/a)") == "paper (https://x.org/a)\n");
    CHECK(unstyled("<https://x.org/a>") == "https://x.org/a\n");
    CHECK(unstyled("see https://x.org/a now") == "see https://x.org/a now\n");
    CHECK(unstyled("<me@x.org>") == "me@x.org\n");
    CHECK(unstyled("![picture](p.png)") == "picture (p.png)\n");
    CHECK(unstyled("[](x)") == "(x)\n");
    CHECK(unstyled("[a](x?b&amp;c)") == "a (x?b&c)\n");
}

TEST_CASE("where a terminal takes links, addresses are some, and nothing else is") {
    const auto linked = [](std::string_view markdown) {
        return render_markdown(markdown, {.colour = true, .width = 80, .unicode = true, .links = true});
    };
    const std::string begin = "\033]8;;https://x.org/a\033\\", end = "\033]8;;\033\\";
    CHECK(linked("<https://x.org/a>") == begin + "\033[4mhttps://x.org/a\033[0m" + end + "\n");
    CHECK(linked("[paper](https://x.org/a)") ==
          "\033[4mpaper\033[0m " + begin + "\033[4m(https://x.org/a)\033[0m" + end + "\n");
    for (const char* other : {"[a](x.png)", "<me@x.org>", "[a](javascript:b)", "[a](https://x.org/\u00e9)"})
        CHECK(linked(other).find("\033]8") == std::string::npos);
    CHECK(render_markdown("<https://x.org/a>", {.colour = true}).find("\033]8") == std::string::npos);
}

TEST_CASE("an address is never broken, prose always is") {
    CHECK(unstyled("see https://example.org/1234567890 and on", 20) ==
          "see\nhttps://example.org/1234567890\nand on\n");
    CHECK(unstyled("abcdefghijklmnopqrstuvwxyz", 20) == "abcdefghijklmnopqrst\nuvwxyz\n");
}

TEST_CASE("list items hang below their sign") {
    CHECK(unstyled("- one two three four five six seven eight nine\n- b") ==
          "- one two three four five six seven\n  eight nine\n- b\n");
    CHECK(unstyled("9. nine\n10. ten ten ten ten ten ten ten ten ten ten\n") ==
          "9. nine\n10. ten ten ten ten ten ten ten ten ten\n    ten\n");
    CHECK(unstyled("- a\n  1. b\n     - c\n- d") == "- a\n  1. b\n     - c\n- d\n");
    CHECK(unstyled("- a\n\n- b") == "- a\n\n- b\n");
    CHECK(unstyled("-\n- b") == "-\n- b\n");
    CHECK(unstyled("- a\n\n  second\n\nafter") == "- a\n\n  second\n\nafter\n");
}

TEST_CASE("quotes have a bar on every line") {
    CHECK(unstyled("> a\n>\n> b\n\nc") == "| a\n|\n| b\n\nc\n");
    CHECK(unstyled("> - a\n> - b") == "| - a\n| - b\n");
    CHECK(unstyled("- > a\n  >\n  > b") == "- | a\n  |\n  | b\n");
}

TEST_CASE("code is indented and never wrapped") {
    CHECK(
        unstyled(
            "```cpp\nint a;\n\n\tb = \"a very long line that goes far beyond forty columns\";\n```\nafter") ==
        "    int a;\n\n        b = \"a very long line that goes far beyond forty columns\";\n\nafter\n");
    CHECK(unstyled("- a\n\n  ```\n  x  y\n  ```") == "- a\n\n      x  y\n");
    CHECK(unstyled("```\n```").empty());
}

TEST_CASE("breaks, rules and entities") {
    CHECK(unstyled("a  \nb\nc") == "a\nb c\n");
    CHECK(unstyled("a\n\n---\n\nb", 20) == "a\n\n--------------------\n\nb\n");
    CHECK(unstyled("&lt;b&gt; &amp; &le; &#65; &#x42; &unknown;") == "<b> & <= A B &unknown;\n");
    CHECK(unstyled("&#27;[31m &#x9b;1m &#0; &#xD800; &#9999999;") == "?[31m \\u009b1m ? ? ?\n");
    CHECK(unstyled("<b>shown</b>") == "<b>shown</b>\n");
}

TEST_CASE("an empty text renders to nothing") {
    CHECK(unstyled("").empty());
    CHECK(unstyled("\n \n").empty());
}

TEST_CASE("plain text has no rules, columns or marks around words, and loses no word") {
    const std::string text =
        terminal::render_markdown("# One\n\n## Two\n\n### Three\n\n*soft* **loud** `code`\n\n---\n\n"
                                  "| a | b |\n|---|---|\n| 1 | 2 |\n",
                                  {.colour = false, .width = 80, .unicode = true, .plain = true});
    CHECK(text == "One\n\nTwo\n\nThree\n\nsoft loud code\n\na: 1\nb: 2\n");
}
