#include "intake/inputs.h"

#include "model/errors.h"
#include "unit/intake/written_archive.h"

#include <doctest/doctest.h>

#include <algorithm>

using intake::Input;
using intake::read_export_name;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

TEST_CASE("names of exports say who and what") {
    const auto moodle = read_export_name("Ada Lovelace_1234_assignsubmission_file_row.cpp");
    CHECK(moodle.who == Words{"Ada Lovelace"});
    CHECK(moodle.file == "row.cpp");
    CHECK(read_export_name("Ada Lovelace_1234_assignsubmission_file_").file.empty());
    CHECK(read_export_name("Ada Lovelace_1234_assignsubmission_file").who == Words{"Ada Lovelace"});
    const auto canvas = read_export_name("lovelaceada_LATE_11_22_my_row.cpp");
    CHECK(canvas.who == Words{"11", "lovelaceada"});
    CHECK(canvas.file == "my_row.cpp");
    CHECK(read_export_name("lovelaceada_11_22_row.cpp").file == "row.cpp");
}

TEST_CASE("any other name is a student's id as it is") {
    for (const char* name :
         {"ada", "ada_1_row.cpp", "a_b_c_d", "_assignsubmission_file_", "x_assignsubmission_file_", ""})
        CHECK(read_export_name(name).who == Words{name});
}

TEST_CASE_FIXTURE(test::Folder,
                  "a folder, an archive and a file are a student's each, and the rest is ignored") {
    write("ada/row.cpp", "int a;");
    write("bob.cpp", "int b;");
    test::write_archive(path() / "carl.tar.gz", {{"row.cpp", "int c;"}});
    write("notes.pdf", "%PDF");
    write("grades.csv", "id");
    write(".DS_Store", "x");
    Words ignored;
    const auto inputs = intake::list_inputs(path(), ignored);
    REQUIRE(inputs.size() == 3);
    CHECK(inputs[0].who == Words{"ada"});
    CHECK(inputs[1].who == Words{"bob"});
    CHECK(inputs[2].who == Words{"carl"});
    CHECK(ignored == Words{"grades.csv", "notes.pdf"});
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(intake::read_input(inputs[i]).files.at(0).text.size() == 6);
}

TEST_CASE_FIXTURE(test::Folder, "files that an export lays side by side belong to one submission") {
    write("lovelaceada_11_22_row.cpp", "int a;");
    write("lovelaceada_11_23_lookup.cpp", "int b;");
    write("turingalan_12_24_row.cpp", "int c;");
    Words ignored;
    const auto inputs = intake::list_inputs(path(), ignored);
    REQUIRE(inputs.size() == 2);
    CHECK(intake::read_input(inputs[0]).files.size() == 2);
    CHECK(intake::read_input(inputs[1]).files.at(0).path == "row.cpp");
}

TEST_CASE_FIXTURE(test::Folder, "a link in place of a submission is trouble and is not followed") {
    fs::create_symlink("/etc", path() / "eve");
    Words ignored;
    const auto inputs = intake::list_inputs(path(), ignored);
    REQUIRE(inputs.size() == 1);
    CHECK(intake::read_input(inputs[0]).trouble == "it is a symbolic link, and links are not followed");
}

TEST_CASE_FIXTURE(test::Folder,
                  "the time of an archive is that of its file, not one that its author wrote into it") {
    test::write_archive(path() / "ada.zip", {{"row.cpp", "int a;"}}, true);
    fs::last_write_time(path() / "ada.zip", fs::file_time_type::clock::now() - std::chrono::hours(1000));
    Words ignored;
    const auto newest = intake::read_input(intake::list_inputs(path(), ignored).at(0)).newest;
    REQUIRE(newest);
    CHECK(*newest < std::chrono::system_clock::now() - std::chrono::hours(999));
    CHECK(*newest > std::chrono::system_clock::now() - std::chrono::hours(1001));
}

TEST_CASE("what is no folder is a mistake of the caller") {
    Words ignored;
    CHECK_THROWS_AS(intake::list_inputs("/nowhere/at/all", ignored), model::UsageError);
}
