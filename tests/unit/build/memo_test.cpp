#include "build/memo.h"

#include "unit/folder.h"

#include <doctest/doctest.h>

TEST_CASE("a memo is read back as it was written") {
    const test::Folder folder;
    const auto file = folder.path() / "memo";
    CHECK_FALSE(build::read_memo(file));
    for (const std::string& text : {std::string(), std::string("{\"a\": 1}"), std::string("two\nlines\n")}) {
        build::write_memo(file, text);
        CHECK(build::read_memo(file) == text);
    }
}

TEST_CASE("one in which any byte differs, is missing or too many is none") {
    const test::Folder folder;
    const auto file = folder.path() / "memo";
    build::write_memo(file, "/usr/bin/g++\n");
    const std::string whole = folder.read("memo");
    for (std::size_t i = 0; i < whole.size(); ++i) {
        CAPTURE(i);
        std::string damaged = whole;
        damaged[i] ^= 1;
        folder.write("memo", damaged);
        CHECK_FALSE(build::read_memo(file));
        folder.write("memo", whole.substr(0, i));
        CHECK_FALSE(build::read_memo(file));
    }
    folder.write("memo", whole + "x");
    CHECK_FALSE(build::read_memo(file));
}
