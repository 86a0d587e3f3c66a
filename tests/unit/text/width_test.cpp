#include "text/width.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace text;

namespace {

std::vector<std::string> graphemes(std::string_view text) {
    std::vector<std::string> list;
    while (!text.empty()) {
        const std::size_t bytes = first_grapheme(text).bytes;
        list.emplace_back(text.substr(0, bytes));
        text.remove_prefix(bytes);
    }
    return list;
}

using List = std::vector<std::string>;

} // namespace

TEST_CASE("graphemes begin and end where Unicode's own test says") { // rows of GraphemeBreakTest-15.0.0.txt
    CHECK(graphemes("\u0020\u0308\u0020") == List{"\u0020\u0308", "\u0020"});
    CHECK(graphemes("\u1100\u1160\u11A8") == List{"\u1100\u1160\u11A8"});
    CHECK(graphemes("\uAC00\u11A8\u1100") == List{"\uAC00\u11A8", "\u1100"});
    CHECK(graphemes("a\U0001F1E6\U0001F1E7\U0001F1E8b") ==
          List{"a", "\U0001F1E6\U0001F1E7", "\U0001F1E8", "b"});
    CHECK(graphemes("\U0001F476\U0001F3FF\U0001F476") == List{"\U0001F476\U0001F3FF", "\U0001F476"});
    CHECK(graphemes("a\U0001F3FF\U0001F476\u200D\U0001F6D1") ==
          List{"a\U0001F3FF", "\U0001F476\u200D\U0001F6D1"});
    CHECK(graphemes("\u2701\u200D\u2701") == List{"\u2701\u200D\u2701"});
    CHECK(graphemes("a\u200D\u2701") == List{"a\u200D", "\u2701"});
    CHECK(graphemes("a\xFF\u0308") == List{"a", "\xFF\u0308"});
}

TEST_CASE("East Asian characters count as UAX 11 classes them, ambiguous ones as narrow") {
    CHECK(columns("a") == 1);      // Na
    CHECK(columns("漢字") == 4);   // W
    CHECK(columns("\uFF21") == 2); // F, fullwidth A
    CHECK(columns("\uFF71") == 1); // H, halfwidth katakana
    CHECK(columns("α") == 1);      // A
    CHECK(columns("é") == 1);
    CHECK(columns("\u3000") == 2); // F, ideographic space
    CHECK(columns("\uFFFD\xFF") == 2);
    CHECK(columns("") == 0);
}

TEST_CASE("marks take no column unless they are drawn besides their letter") {
    CHECK(columns("e\u0301") == 1);
    CHECK(columns("e\u0301\u0302\u0303") == 1);
    CHECK(columns("\u0E01\u0E31") == 1);       // Thai
    CHECK(columns("\u0915\u093E") == 2);       // Devanagari: a spacing mark
    CHECK(columns("\u1100\u1161\u11A8") == 2); // three letters, one syllable
    CHECK(columns("\u0600") == 1);             // an Arabic sign before a number
}

TEST_CASE("an emoji takes two columns, however many code points it is made of") {
    CHECK(columns("🙂") == 2);
    CHECK(columns("👨‍👩‍👧‍👦") == 2);
    CHECK(columns("👍🏽") == 2);
    CHECK(columns("🇩🇪") == 2);
    CHECK(columns("\u2764") == 1);       // a heart as text
    CHECK(columns("\u2764\uFE0F") == 2); // and as an emoji
    CHECK(columns("1\uFE0F\u20E3") == 2);
    CHECK(columns("🙂🙂") == 4);
}

TEST_CASE("what fits ends between graphemes") {
    CHECK(bytes_within("日本語", 5) == 6);
    CHECK(bytes_within("e\u0301x", 1) == 3);
    CHECK(bytes_within("👨‍👩‍👧x", 1) == 0);
    CHECK(bytes_within("👨‍👩‍👧x", 2) == std::string("👨‍👩‍👧").size());
    CHECK(bytes_within("abc", 0) == 0);
    CHECK(bytes_within("abc", -1) == 0);
}

TEST_CASE("shortening keeps within the columns and never cuts a grapheme") {
    CHECK(shortened("hello world", 8) == "hello...");
    CHECK(shortened("hello", 5) == "hello");
    CHECK(shortened("日本語日本語", 8) == "日本...");
    CHECK(shortened("e\u0301e\u0301e\u0301e\u0301e\u0301", 4) == "e\u0301...");
    CHECK(shortened("hello", 3) == "...");
    CHECK(shortened("hello", 1) == ".");
    CHECK(shortened("hello", 0).empty());
    CHECK(shortened("hello", -4).empty());
}

TEST_CASE("tabs reach the next multiple of four") {
    CHECK(without_tabs("\tx") == "    x");
    CHECK(without_tabs("ab\tx\ny\tz") == "ab  x\ny   z");
    CHECK(without_tabs("語\tx") == "語  x");
    CHECK(without_tabs("abcd\t") == "abcd    ");
    CHECK(without_tabs("\n\n") == "\n\n");
}
