#include "coursework/roster.h"

#include "model/errors.h"

#include <doctest/doctest.h>

using coursework::find_student;
using coursework::read_roster;
using coursework::Student;

namespace {

std::vector<Student> students_of(const std::string& text) {
    return read_roster({"roster.csv", text});
}

std::optional<std::size_t> find_in(const std::vector<Student>& roster, std::vector<std::string> words) {
    return find_student(roster, words);
}

} // namespace

TEST_CASE("columns are found by their names, in any order and case") {
    const auto roster = students_of("Email;Section;ID;Name;Phone\nada@x.org;A; s1 ;Ada L.;12\n");
    REQUIRE(roster.size() == 1);
    CHECK(roster[0].id == "s1");
    CHECK(roster[0].name == "Ada L.");
    CHECK(roster[0].email == "ada@x.org");
    CHECK(roster[0].section == "A");
}

TEST_CASE("lists as Moodle and Canvas export them are rosters") {
    const auto moodle =
        students_of("First name,Last name,ID number,Email address\nAda,Lovelace,7,ada@x.org\n");
    CHECK(moodle[0].name == "Ada Lovelace");
    CHECK(moodle[0].id == "7");
    const auto canvas = students_of("Student Name,SIS User ID,Section\n\"Lovelace, Ada\",7,A\n");
    CHECK(canvas[0].name == "Lovelace, Ada");
}

TEST_CASE("an email address is an id only if there is no column of ids") {
    CHECK(students_of("email\nada@x.org\n")[0].id == "ada@x.org");
    CHECK_THROWS_WITH_AS(students_of("id,email\ns1,a@x\n,ada@x.org\n"),
                         "cannot read roster.csv: line 3: the student has no id", model::ContentError);
}

TEST_CASE("a student may be listed once, whatever the case") {
    CHECK_THROWS_WITH_AS(students_of("id\nada\nbob\nADA\n"),
                         "cannot read roster.csv: line 4: the student ADA is in line 2 already",
                         model::ContentError);
}

TEST_CASE("a file without a known column is no roster") {
    CHECK_THROWS_AS(students_of("matriculation\n1\n"), model::ContentError);
    CHECK_THROWS_AS(students_of(""), model::ContentError);
}

TEST_CASE("students are found by id, then by email address, then by name") {
    const std::vector<Student> roster{{"s1", "Ada", "ada@x.org", ""}, {"ada", "Bob", "bob@x.org", ""}};
    CHECK(find_in(roster, {"Ada"}) == 1); // the id of one is the name of the other
    CHECK(find_in(roster, {"ADA@x.org"}) == 0);
    CHECK(find_in(roster, {"4711", "bob"}) == 1);
    CHECK_FALSE(find_in(roster, {"carl", ""}));
}

TEST_CASE("a name that two students have names neither") {
    CHECK_FALSE(find_in({{"s1", "Ada", "", ""}, {"s2", "Ada", "", ""}}, {"Ada"}));
}
