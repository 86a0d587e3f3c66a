#include "intake/gradescope.h"

#include "intake/inputs.h"
#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

using intake::read_gradescope_metadata;
using Words = std::vector<std::string>;

namespace {

const char* const exported = R"(---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0042'
    :email: ada@x.org
  :created_at: 2026-10-25 21:59:30.123456000 Z
  :score: 12.5
submission_2:
  :submitters:
  - :name: Bob
    :sid:
    :email: bob@x.org
  - :name: Carl
  :created_at: 2026-10-25T14:59:30.1-07:00
)";

} // namespace

TEST_CASE("submitters and times are read, whatever is missing") {
    const auto list = read_gradescope_metadata("m.yml", exported);
    REQUIRE(list.size() == 2);
    CHECK(list[0].folder == "submission_1");
    CHECK(list[0].submitters.at(0) == Words{"0042", "ada@x.org", "Ada Lovelace"});
    CHECK(coursework::utc(*list[0].created) == "2026-10-25T21:59:30Z");
    CHECK(list[1].submitters == std::vector<Words>{{"bob@x.org", "Bob"}, {"Carl"}});
    CHECK(list[1].created == list[0].created);
}

TEST_CASE("a time in another form is none") {
    for (const char* time : {"yesterday", "2026-13-01 00:00:00 Z", "2026-10-25 21:59:30", "2026-10-25"})
        CHECK_FALSE(
            read_gradescope_metadata("m", std::string("s:\n  :created_at: ") + time + "\n").at(0).created);
}

TEST_CASE("what is no list of submissions is refused with its place") {
    for (const char* text : {"", "- a", "text", "a: [", "a: *b"})
        CHECK_THROWS_AS(read_gradescope_metadata("m.yml", text), model::ContentError);
    CHECK(read_gradescope_metadata("m.yml", "a: 1").empty());
}

TEST_CASE_FIXTURE(test::Folder,
                  "a group's folder is a submission of each of them, at the time of the export") {
    write("submission_metadata.yml", exported);
    write("submission_1/row.cpp", "int a;");
    write("submission_2/row.cpp", "int b;");
    Words ignored;
    const auto inputs = intake::list_inputs(path(), ignored);
    REQUIRE(inputs.size() == 3);
    CHECK(inputs[0].who.front() == "0042");
    CHECK(inputs[2].who == Words{"Carl"});
    CHECK(intake::read_input(inputs[2]).files.at(0).text == "int b;");
    CHECK(coursework::utc(*intake::read_input(inputs[0]).newest) == "2026-10-25T21:59:30Z");
}

TEST_CASE_FIXTURE(test::Folder, "a folder that is missing, or lies elsewhere, is ignored by name") {
    write("submission_metadata.yml",
          "../x:\n  :submitters:\n  - :sid: a\nsubmission_9:\n  :submitters:\n  - :sid: b\n");
    Words ignored;
    CHECK(intake::list_inputs(path(), ignored).empty());
    CHECK(ignored == Words{"../x", "submission_9"});
    write("submission_metadata.yml", "a: [");
    CHECK_THROWS_AS(intake::list_inputs(path(), ignored), model::UsageError);
}
