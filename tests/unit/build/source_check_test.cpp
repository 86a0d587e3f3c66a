#include "build/source_check.h"

#include <doctest/doctest.h>

namespace {

std::optional<model::Diagnostic> check(const std::string& text) {
    return build::check_source({"lookup.cpp", text}, "./engine reset token-lookup");
}

} // namespace

TEST_CASE("ordinary text passes, with any character of Unicode and a byte order mark") {
    CHECK_FALSE(check("int a; // gr\xc3\xbc\xc3\x9f\x65 \xe2\x82\xac \xf0\x9f\x99\x82\n"));
    CHECK_FALSE(check("\xef\xbb\xbfint a;\n"));
    CHECK_FALSE(check("\xf4\x8f\xbf\xbf")); // U+10FFFF, the last one
}

TEST_CASE("an empty or blank file is said to be empty") {
    REQUIRE(check(""));
    REQUIRE(check(" \r\n\t"));
    CHECK(check("")->message == "the file is empty");
    CHECK(check("")->explanation.find("`./engine reset token-lookup`") != std::string::npos);
}

TEST_CASE("a byte that is not UTF-8 is named by its offset and line") {
    const auto diagnostic = check("one\ntwo \xe4\n"); // Latin-1
    REQUIRE(diagnostic);
    CHECK(diagnostic->message == "not UTF-8 at byte offset 8");
    CHECK(diagnostic->line == 2);
}

TEST_CASE("overlong forms, surrogates, lone and missing continuations and too large values are not UTF-8") {
    for (const char* bad : {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\x80", "\xe2\x82",
                            "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"})
        CHECK(check(std::string("a") + bad));
}

TEST_CASE("a NUL byte is refused with its line") {
    const auto diagnostic = check(std::string("a\nb\0c", 5));
    REQUIRE(diagnostic);
    CHECK(diagnostic->message == "NUL byte at offset 3");
    CHECK(diagnostic->line == 2);
}

TEST_CASE("a file of exactly 1 MiB passes and one byte more does not") {
    CHECK_FALSE(check(std::string(1 << 20, 'a')));
    CHECK(check(std::string((1 << 20) + 1, 'a')));
}
