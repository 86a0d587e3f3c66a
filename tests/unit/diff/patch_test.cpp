#include "diff/patch.h"

#include "model/errors.h"

#include <doctest/doctest.h>
#include <functional>

namespace {

const std::string base = "one\ntwo\nthree\nfour\nfive\n";
const std::string head = "--- r/base.cpp\n+++ mistakes/x\n";
const std::string good = head + "@@ -2,3 +2,3 @@\n two\n-three\n+3\n four\n";

/// What an author reads; nothing where the diff applies.
std::string message_of(const std::string& text) {
    try {
        (void)diff::apply(diff::parse(text, "x.diff"), base);
        return "";
    } catch (const model::ContentError& error) {
        return error.what();
    }
}

struct Refused {
    std::string text;
    std::string message; ///< after the file's name
};

} // namespace

TEST_CASE("a diff has its names and its hunks") {
    const diff::Patch patch = diff::parse(good, "x.diff", 4);
    CHECK(patch.line == 4);
    CHECK(patch.base == "r/base.cpp");
    CHECK(patch.changed == "mistakes/x");
    REQUIRE(patch.hunks.size() == 1);
    CHECK(patch.hunks[0].before == 1);
    REQUIRE(patch.hunks[0].edits.size() == 4);
    CHECK(patch.hunks[0].edits[1].sign == '-');
    CHECK(patch.hunks[0].edits[1].text == "three\n");
    CHECK(patch.hunks[0].edits[1].line == 8);
    CHECK(diff::apply(patch, base) == "one\ntwo\n3\nfour\nfive\n");
}

TEST_CASE("hunks at the ends, without context, with headings and with empty lines apply") {
    const auto applied = [](const std::string& hunks, const std::string& to) {
        return diff::apply(diff::parse(head + hunks, "x.diff"), to);
    };
    CHECK(applied("@@ -0,0 +1,2 @@\n+a\n+b\n", base) == "a\nb\n" + base);
    CHECK(applied("@@ -5,0 +6 @@ void f()\n+six\n", base) == base + "six\n");
    CHECK(applied("@@ -1 +0,0 @@\n-one\n@@ -5 +4 @@\n-five\n+V\n", base) == "two\nthree\nfour\nV\n");
    CHECK(applied("@@ -1,3 +1,2 @@\n a\n\n-b\n", "a\n\nb\n") == "a\n\n");
    CHECK(applied("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a") == "a\n");
    CHECK(applied("@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "a\n") == "b");
    CHECK(applied("@@ -1,2 +1 @@\n--- a\n b\n", "-- a\nb\n") == "b\n");
}

TEST_CASE("what is no plain unified diff is refused with its line and the reason") {
    const std::vector<Refused> rows{
        {"", "line 1: must be \"--- \" and a file's name"},
        {"diff --git a/x b/x\n" + good, "line 1: must be \"--- \" and a file's name"},
        {"--- a\n@@ -1 +1 @@\n", "line 2: must be \"+++ \" and a file's name"},
        {"--- /etc/passwd\n+++ b\n", "line 1: the name must not be absolute (got \"/etc/passwd\")"},
        {"--- a\n+++ /b\n", "line 2: the name must not be absolute (got \"/b\")"},
        {"--- a/../../b\n+++ b\n", "line 1: the name must not lead upwards (got \"a/../../b\")"},
        {"--- ..\n+++ b\n", "line 1: the name must not lead upwards (got \"..\")"},
        {"--- ./a\n+++ b\n", "line 1: must be a plain name, with nothing after it (got \"./a\")"},
        {"--- a\t2024-01-01\n+++ b\n", "line 1: must be a plain name, with nothing after it"},
        {"--- a\r\n+++ b\r\n", "line 1: the line ends with CR LF; a diff has LF alone"},
        {head + "@@ -1 +1 @@\n-one\r\n+1\r\n", "line 4: the line ends with CR LF; a diff has LF alone"},
        {head, "line 3: the diff ends without a hunk"},
        {head + "@@ -1 +1\n", "line 3: must be \"@@ -line,count +line,count @@\""},
        {head + "@@ -0,1 +1 @@\n", "line 3: must be \"@@ -line,count"},
        {head + "@@ -99999999999999999999 +1 @@\n", "line 3: must be \"@@ -line,count"},
        {head + "Only in here\n", "line 3: belongs to no hunk: the one before it is complete"},
        {head + "@@ -2,3 +2,3 @@\n two\n-three\n+3\n",
         "line 3: the hunk has fewer lines than it counts: 1 of the base and 1 of the result are missing"},
        {head + "@@ -2,3 +2,2 @@\n two\n-three\n@@ -5 +4 @@\n-five\n+V\n",
         "line 3: the hunk has fewer lines than it counts: 1 of the base and 1 of the result are missing"},
        {head + "@@ -2 +2 @@\n-two\n-three\n+2\n", "line 5: is one more than the hunk counts in line 3"},
        {good + " five\n", "line 8: belongs to no hunk: the one before it is complete"},
        {good + "\n", "line 8: belongs to no hunk: the one before it is complete"},
        {head + "@@ -1,2 +1,2 @@\n one\nthree\n",
         "line 5: must begin with a blank, '-' or '+' (got \"three\")"},
        {head + "@@ -1,2 +1,2 @@\n one\n two\n", "line 3: the hunk changes nothing"},
        {head + "@@ -2 +3 @@\n-two\n+2\n", "line 3: the hunk's second line number must be 2"},
        {head + "@@ -2 +2 @@\n-two\n+2\n@@ -1 +1 @@\n-one\n+1\n",
         "line 6: the hunk begins before the one above it ends"},
        {head + "@@ -1 +1 @@\n\\ No newline\n", "line 4: must follow a line of the hunk"},
    };
    for (const Refused& row : rows) {
        INFO(row.text);
        const std::string wanted = "cannot read x.diff: " + row.message;
        CHECK(message_of(row.text).substr(0, wanted.size()) == wanted);
    }
}

TEST_CASE("a hunk applies at the only place where its lines stand, though its number says another") {
    const auto applied = [](const std::string& hunks, const std::string& to) {
        return diff::apply(diff::parse(head + hunks, "x.diff"), to);
    };
    const std::string two_hunks = "@@ -1,2 +1,2 @@\n-one\n+1\n two\n@@ -5 +5 @@\n-five\n+5\n";
    CHECK(applied(two_hunks, base) == "1\ntwo\nthree\nfour\n5\n");
    CHECK(applied(two_hunks, "zero\n" + base) == "zero\n1\ntwo\nthree\nfour\n5\n");
    CHECK(applied(two_hunks, "one\ntwo\nfive\n") == "1\ntwo\n5\n");
    CHECK(applied("@@ -40 +40 @@\n-five\n+5\n", base) == "one\ntwo\nthree\nfour\n5\n");
    // At its own line it stays, whatever else there is.
    CHECK(applied("@@ -2 +2 @@\n-a\n+b\n", "a\na\na\n") == "a\nb\na\n");
}

TEST_CASE("a hunk that has several other places, or none in its order, is refused with them") {
    const std::string moved = head + "@@ -5 +5 @@\n-two\n+2\n";
    const auto message = [](const std::string& text, const std::string& to) -> std::string {
        try {
            return diff::apply(diff::parse(text, "x.diff"), to);
        } catch (const model::ContentError& error) {
            return error.what();
        }
    };
    CHECK(message(moved, "one\ntwo\n") == "one\n2\n");
    CHECK(message(moved, "two\none\ntwo\ntwo\n") ==
          "cannot read x.diff: line 4: the diff does not apply: the hunk's lines do not stand in line 5 of "
          "r/base.cpp, but in lines 1, 3 and 4; correct its line number");
    CHECK(message(head + "@@ -1 +1 @@\n-three\n+3\n@@ -4 +4 @@\n-two\n+2\n", base) ==
          "cannot read x.diff: line 7: the diff does not apply: the hunk's lines stand in line 2 of "
          "r/base.cpp, before the end of the hunk above it");
    CHECK(message(head + "@@ -1 +1 @@\n-three\n+3\n@@ -2,0 +3 @@\n+2\n", base) ==
          "cannot read x.diff: line 7: the diff does not apply: the hunk has no line by which its place can "
          "be found");
}

TEST_CASE("a hunk whose lines stand nowhere to the letter is refused") {
    const std::vector<Refused> rows{
        // The lines are there, but not one after the other.
        {head + "@@ -2,2 +2,2 @@\n two\n-four\n+4\n",
         "line 5: the diff does not apply: line 3 of r/base.cpp must be \"four\" (got \"three\"), and the "
         "hunk's lines stand nowhere else"},
        // The context differs by a blank.
        {head + "@@ -2,3 +2,3 @@\n two \n-three\n+3\n four\n",
         "line 4: the diff does not apply: line 2 of r/base.cpp must be \"two \" (got \"two\")"},
        {head + "@@ -5,2 +5,2 @@\n five\n-six\n+6\n",
         "line 5: the diff does not apply: r/base.cpp ends before line 6"},
        {head + "@@ -9 +9 @@\n-nine\n+9\n", "line 4: the diff does not apply: r/base.cpp has only 5 lines"},
        {head + "@@ -5 +5 @@\n-five\n\\ No newline at end of file\n+5\n",
         "line 4: the diff does not apply: line 5 of r/base.cpp must be \"five\""},
        {head + "@@ -2 +2 @@\n-two\n+2\n\\ No newline at end of file\n",
         "line 5: lines of the base follow, but this has no line end"},
    };
    CHECK(message_of(good) == "");
    for (const Refused& row : rows) {
        INFO(row.text);
        const std::string wanted = "cannot read x.diff: " + row.message;
        CHECK(message_of(row.text).substr(0, wanted.size()) == wanted);
    }
}

TEST_CASE("a long line is cited in part, without cutting a character in two") {
    std::string text = head + "@@ -1 +1 @@\n-ab";
    for (int i = 0; i < 50; ++i)
        text += "é!";
    const std::string message = message_of(text + "\n+1\n");
    CHECK(message.find("é!…\" (got \"one\")") != std::string::npos);
}

TEST_CASE("whatever is cut out of a diff or put into it, the answer is a text or a content error") {
    for (std::size_t at = 0; at < good.size(); ++at)
        for (const std::string by : {"", "\n", "0", "@@ -", "\\", "\r", "-"}) {
            std::string text = good;
            text.replace(at, 1, by);
            CHECK_NOTHROW((void)message_of(text));
        }
}

TEST_CASE("a diff begins at the first line that says so") {
    CHECK(diff::find_diff(good) == 0);
    CHECK(diff::find_diff("Says: a --- b\n" + good) == 14);
    CHECK(diff::find_diff("Says: a --- b\n---\n") == std::string::npos);
}
