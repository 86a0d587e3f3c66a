#include "app/verify/blanks.h"

#include "unit/folder.h"

#include <doctest/doctest.h>

namespace {

catalogue::Content content_in(const test::Folder& folder) {
    return {folder.path() / "problems", folder.path() / "exercises", folder.path() / "reference", {}, {}};
}

} // namespace

TEST_CASE("every blank is found with its file, its line and what belongs there") {
    const test::Folder folder;
    folder.write("problems/twice/problem.json",
                 "{\n  \"a\": \"FILL IN: a title\", \"b\": \"FILL IN: a part\"\n}\n");
    folder.write("problems/twice/mistakes/one.diff", "Says: FILL IN: the diagnosis\n");
    folder.write("exercises/twice/contract.h", "\n\n/* FILL IN: a sentence */\n");
    const auto blanks = verify::find_blanks(content_in(folder), "twice");
    REQUIRE(blanks.size() == 4);
    CHECK(blanks[0].file == "problems/twice/mistakes/one.diff");
    CHECK(blanks[0].what == "the diagnosis");
    CHECK(blanks[1].file == "problems/twice/problem.json");
    CHECK(blanks[1].line == 2);
    CHECK(blanks[1].what == "a title");
    CHECK(blanks[2].what == "a part");
    CHECK(blanks[3].file == "exercises/twice/contract.h");
    CHECK(blanks[3].line == 3);
    CHECK(blanks[3].what == "a sentence");
}

TEST_CASE("a package without blanks, or none at all, has none") {
    const test::Folder folder;
    folder.write("problems/twice/statement.md", "Fill in the table.\n");
    CHECK(verify::find_blanks(content_in(folder), "twice").empty());
    CHECK(verify::find_blanks(content_in(folder), "thrice").empty());
}

TEST_CASE("a proof ends with what is missing") {
    CHECK(verify::soundness(true, 0) == "sound");
    CHECK(verify::soundness(false, 0) == "not sound");
    CHECK(verify::soundness(false, 1) == "not sound: 1 blank");
    CHECK(verify::soundness(false, 14) == "not sound: 14 blanks");
}
