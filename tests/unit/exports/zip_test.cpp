#include "exports/zip.h"

#include <doctest/doctest.h>

using exports::ZipEntry;

TEST_CASE("order does not matter, and content does") {
    const ZipEntry one{"a/one", "text", false};
    const ZipEntry two{"b", std::string(100'000, 'x'), true};
    const std::string bytes = exports::zip({one, two});
    CHECK(bytes == exports::zip({two, one}));
    CHECK(bytes != exports::zip({one, {"b", two.text, false}}));
    CHECK(bytes != exports::zip({{"a/one", "test", false}, two}));
    CHECK(bytes.starts_with("PK"));
    CHECK(bytes.size() < 2000); // compressed
}

TEST_CASE("an archive without files is one") {
    CHECK(exports::zip({}).starts_with("PK"));
}
