#include "intake/archive.h"

#include "system/fd.h"
#include "unit/intake/written_archive.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

using intake::Entries;
using test::Item;

namespace {

Entries read(const std::vector<Item>& items, bool zip = false) {
    const test::Folder folder;
    const auto file = folder.path() / "a";
    test::write_archive(file, items, zip);
    const sys::Fd fd(open(file.c_str(), O_RDONLY | O_CLOEXEC));
    return intake::read_archive(fd.get());
}

Entries read_bytes(const std::string& bytes) {
    const test::Folder folder;
    folder.write("a", bytes);
    const sys::Fd fd(open((folder.path() / "a").c_str(), O_RDONLY | O_CLOEXEC));
    return intake::read_archive(fd.get());
}

} // namespace

TEST_CASE("sources of zip and tar files are read, with their folders") {
    for (const bool zip : {false, true}) {
        const Entries entries = read({{"hw/first-row/row.cpp", "int a;"}, {"hw/notes.txt", "secret"}}, zip);
        CHECK(entries.trouble.empty());
        REQUIRE(entries.files.size() == 2);
        CHECK(entries.files[0].path == "hw/first-row/row.cpp");
        CHECK(entries.files[0].text == "int a;");
        CHECK(entries.files[1].text.empty()); // no source
    }
}

TEST_CASE("hidden files are left out") {
    CHECK(read({{".git/x.cpp", "a"}, {"__MACOSX/._row.cpp", "a"}, {"hw/.row.cpp", "a"}}).files.empty());
}

TEST_CASE("a path that leads out of the archive spoils all of it") {
    for (const char* path : {"../row.cpp", "a/../../row.cpp", "/etc/row.cpp", "a\\..\\row.cpp"}) {
        const Entries entries = read({{"row.cpp", "int a;"}, {path, "int b;"}});
        CHECK_MESSAGE(entries.trouble == "the archive has a path that leads out of it", path);
        CHECK(entries.files.empty());
    }
    CHECK(read({{"a..b/row.cpp", "int a;"}}).trouble.empty());
}

TEST_CASE("links are seen and not followed") {
    const Entries entries =
        read({{"row.cpp", "", "/etc/passwd"}, {"x.cpp", "int a;"}, {"y.cpp", "", "", "x.cpp"}});
    CHECK(entries.trouble.empty());
    REQUIRE(entries.files.size() == 3);
    CHECK(entries.files[0].link);
    CHECK(entries.files[0].text.empty());
    CHECK(entries.files[2].link);
    CHECK_FALSE(entries.files[1].link);
}

TEST_CASE("as many files as may be are read, and one more is trouble") {
    std::vector<Item> items(intake::max_files, {"a.txt", ""});
    CHECK(read(items).trouble.empty());
    items.push_back({"b.txt", ""});
    CHECK(read(items).trouble == "the archive has more than 5000 files");
}

TEST_CASE("what unpacks to too much is trouble, even if nothing of it is kept") {
    CHECK(read({{"zeros.bin", std::string(intake::max_total_bytes + 1, '\0')}}).trouble ==
          "the archive unpacks to more than 64 MiB");
    CHECK(read({{"row.cpp", std::string(intake::max_file_bytes + 1, ' ')}}).trouble ==
          "the archive has a source file of more than 4 MiB");
    CHECK(read({{"row.cpp", std::string(intake::max_file_bytes, ' ')}}).trouble.empty());
}

TEST_CASE("odd names are left out, and cost the others nothing") {
    const Entries entries = read({{"a\x1b[2J.cpp", "int a;"}, {"row.cpp", "int b;"}});
    CHECK(entries.trouble.empty());
    REQUIRE(entries.files.size() == 1);
    CHECK(entries.files[0].path == "row.cpp");
}

TEST_CASE("what is no archive, and half of one, is trouble") {
    CHECK_FALSE(read_bytes("this is no archive").trouble.empty());
    CHECK_FALSE(read_bytes("").trouble.empty());
    const test::Folder folder;
    test::write_archive(folder.path() / "whole", {{"row.cpp", std::string(100'000, 'x')}}, true);
    const std::string whole = folder.read("whole");
    CHECK_FALSE(read_bytes(whole.substr(0, whole.size() / 2)).trouble.empty());
}

TEST_CASE("an archive is known by its name") {
    CHECK(intake::is_archive_name("ada.tar.gz"));
    CHECK(intake::without_archive_ending("ada.tar.gz") == "ada");
    CHECK(intake::without_archive_ending("a.b.zip") == "a.b");
    CHECK_FALSE(intake::is_archive_name(".zip"));
    CHECK_FALSE(intake::is_archive_name("row.cpp"));
}
