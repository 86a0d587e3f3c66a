#include "intake/folder.h"

#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

using intake::Entries;
using intake::read_folder;
namespace fs = std::filesystem;

TEST_CASE_FIXTURE(test::Folder, "files are read in the order of their names, and a git folder is left out") {
    write("b/lookup.cpp", "int b;");
    write("a/row.cpp", "int a;");
    write(".git/hooks/x.cpp", "int c;");
    const Entries entries = read_folder(path());
    REQUIRE(entries.files.size() == 2);
    CHECK(entries.files[0].path == "a/row.cpp");
    CHECK(entries.files[1].text == "int b;");
    CHECK(entries.newest);
}

TEST_CASE_FIXTURE(test::Folder, "no link is followed, neither to a file nor to a folder") {
    write("real.cpp", "int a;");
    fs::create_symlink("/etc/passwd", path() / "row.cpp");
    fs::create_symlink("/etc", path() / "first-row");
    const Entries entries = read_folder(path());
    REQUIRE(entries.files.size() == 3);
    for (const intake::Entry& entry : entries.files)
        CHECK(entry.link == (entry.path != "real.cpp"));
    CHECK(entries.files[2].text.empty());
}

TEST_CASE_FIXTURE(test::Folder, "a source that is too large is trouble, another file is not") {
    write("data.bin", std::string(5 << 20, 'x'));
    CHECK(read_folder(path()).trouble.empty());
    write("row.cpp", std::string(5 << 20, 'x'));
    CHECK(read_folder(path()).trouble == "row.cpp is larger than 4 MiB");
}

TEST_CASE_FIXTURE(test::Folder, "a single file gets the name that it is known by") {
    write("ada_1_2_row.cpp", "int a;");
    const Entries entries = intake::read_single_file(path() / "ada_1_2_row.cpp", "row.cpp");
    REQUIRE(entries.files.size() == 1);
    CHECK(entries.files[0].path == "row.cpp");
    CHECK(entries.files[0].text == "int a;");
}

TEST_CASE("a folder that cannot be read is no student's fault") {
    CHECK_THROWS_AS(read_folder("/nowhere/at/all"), model::EnvironmentError);
}
