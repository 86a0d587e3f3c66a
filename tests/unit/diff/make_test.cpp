#include "diff/make.h"

#include "diff/lines.h"
#include "diff/patch.h"

#include <doctest/doctest.h>
#include <random>

namespace {

std::string made(std::string_view base, std::string_view changed) {
    return diff::make(base, changed, "a", "b");
}

std::string numbers(int count) {
    std::string text;
    for (int i = 1; i <= count; ++i)
        text += std::to_string(i) + "\n";
    return text;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), by);
}

} // namespace

TEST_CASE("a changed line stands between three lines of context") {
    CHECK(made(numbers(9), replaced(numbers(9), "5\n", "five\n")) ==
          "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("changes that share their context are one hunk, others are two") {
    const std::string near = replaced(replaced(numbers(20), "5\n", "v\n"), "12\n", "xii\n");
    const std::string far = replaced(replaced(numbers(20), "5\n", "v\n"), "13\n", "xiii\n");
    CHECK(made(numbers(20), near).find("@@ -2,14 +2,14 @@") != std::string::npos);
    CHECK(made(numbers(20), far).find("@@ -2,7 +2,7 @@") != std::string::npos);
    CHECK(made(numbers(20), far).find("@@ -10,7 +10,7 @@") != std::string::npos);
}

TEST_CASE("at the ends of a file there is less context, and an empty line stays empty") {
    CHECK(made("1\n\n3\n", "\n3\n") == "--- a\n+++ b\n@@ -1,3 +1,2 @@\n-1\n\n 3\n");
    CHECK(made("1\n", "1\n\n") == "--- a\n+++ b\n@@ -1 +1,2 @@\n 1\n+\n");
    CHECK(made("", "1\n") == "--- a\n+++ b\n@@ -0,0 +1 @@\n+1\n");
    CHECK(made("1\n", "") == "--- a\n+++ b\n@@ -1 +0,0 @@\n-1\n");
}

TEST_CASE("a missing line end is said") {
    CHECK(made("1\n2", "1\n2\n") ==
          "--- a\n+++ b\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+2\n");
}

TEST_CASE("equal texts have no diff") {
    CHECK(made(numbers(5), numbers(5)) == "");
    CHECK(made("", "") == "");
}

TEST_CASE("of equal choices, the later lines are the new ones") {
    CHECK(made("f() {\n}\n", "f() {\n}\ng() {\n}\n") ==
          "--- a\n+++ b\n@@ -1,2 +1,4 @@\n f() {\n }\n+g() {\n+}\n");
}

TEST_CASE("what was made applies to its base and gives the changed text, whatever the two are") {
    std::mt19937 random(1);
    const auto text = [&] {
        std::string lines;
        for (auto i = random() % 30; i > 0; --i)
            lines += std::string(random() % 3, static_cast<char>('a' + random() % 3)) + "\n";
        if (random() % 4 == 0 && !lines.empty()) lines += "z";
        return lines;
    };
    for (int i = 0; i < 2000; ++i) {
        const std::string base = text(), changed = text();
        const std::string patch = made(base, changed);
        INFO(base, "=====\n", changed, "=====\n", patch);
        if (base == changed)
            CHECK(patch == "");
        else
            CHECK(diff::apply(diff::parse(patch, "p.diff"), base) == changed);
    }
}

TEST_CASE("no more lines change than must") {
    const auto count = [](std::string_view base, std::string_view changed) {
        return diff::common_lines(diff::lines_of(base), diff::lines_of(changed)).size();
    };
    CHECK(count("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n") == 4);
    CHECK(count("a\nb\n", "c\nd\n") == 0);
}

TEST_CASE("texts that differ in thousands of lines are taken as wholly different") {
    std::string base = "begin\n", changed = "begin\n";
    for (int i = 0; i < 5000; ++i) {
        base += "same\n-" + std::to_string(i) + "\n";
        changed += "same\n+" + std::to_string(i) + "\n";
    }
    const std::string patch = made(base, changed);
    CHECK(diff::shared(base, changed) < 0.001);
    CHECK(diff::apply(diff::parse(patch, "p.diff"), base) == changed);
}

TEST_CASE("what is shared is counted in lines of the changed text") {
    CHECK(diff::shared("1\n2\n3\n4\n", "1\n2\nx\ny\n") == 0.5);
    CHECK(diff::shared("1\n2\n", "1\n") == 1);
    CHECK(diff::shared("1\n", "2\n") == 0);
    CHECK(diff::shared("1\n", "") == 1);
}
