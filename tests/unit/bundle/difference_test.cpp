#include "bundle/difference.h"

#include <doctest/doctest.h>
#include <string>

namespace {

using Change = std::pair<std::string, std::string>;

/// What was there and what came, each as its words with single blanks.
std::vector<Change> changes(const std::string& before, const std::string& after, bool in_words) {
    const std::vector<reader::Word> old_words = reader::read_words(before);
    const std::vector<reader::Word> new_words = reader::read_words(after);
    const auto text = [](const std::vector<reader::Word>& words, const bundle::Edit::Range& range) {
        std::string all;
        for (std::size_t i = range.first; i < range.last; ++i)
            all += (all.empty() ? "" : " ") + std::string(words[i].text);
        return all;
    };
    std::vector<Change> list;
    for (const bundle::Edit& lines : bundle::changed_lines(old_words, new_words)) {
        std::vector<bundle::Edit> edits{lines};
        if (in_words) edits = bundle::changed_words(old_words, new_words, lines);
        for (const bundle::Edit& edit : edits)
            list.emplace_back(text(old_words, edit.before), text(new_words, edit.after));
    }
    return list;
}

} // namespace

TEST_CASE("lines that differ in words are changed, those that differ in comments and blanks are not") {
    CHECK(changes("a = 1; // one\nb = 2;\nc = 3;\n", "a  =  1;\n\nb = 4;\nc = 3;\n", false) ==
          std::vector<Change>{{"b = 2 ;", "b = 4 ;"}});
    CHECK(changes("a = 1;\n", "a = 1;\n", false).empty());
    CHECK(changes("", "a = 1;\n", false) == std::vector<Change>{{"", "a = 1 ;"}});
    CHECK(changes("a = 1;\n", "", false) == std::vector<Change>{{"a = 1 ;", ""}});
}

TEST_CASE("a changed line is a change of its words") {
    CHECK(changes("x = f(a, b) + c;\n", "x = f(b, b) - c;\n", true) ==
          std::vector<Change>{{"a", "b"}, {"+", "-"}});
    CHECK(changes("g(n);\nh(n);\n", "g(n);\nif (n > 1)\n    h(n);\n", true) ==
          std::vector<Change>{{"", "if ( n > 1 )"}});
}

TEST_CASE("an added function is added as a whole, and not with the end of its neighbour") {
    CHECK(changes("int f() {\n    return 1;\n}\nint h() {\n    return 3;\n}\n",
                  "int f() {\n    return 1;\n}\nint g() {\n    return 1;\n}\nint h() {\n    return 3;\n}\n",
                  false) == std::vector<Change>{{"", "int g ( ) { return 1 ; }"}});
    CHECK(changes("{\nint f() {\n    return 1;\n}\nint g() {\n    return 1;\n}\n}\n",
                  "{\nint f() {\n    return 1;\n}\n}\n",
                  false) == std::vector<Change>{{"int g ( ) { return 1 ; }", ""}});
}
