#include "workspace/write.h"

#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

namespace fs = std::filesystem;

namespace {

struct Fixture {
    test::Folder own;
    fs::path w = own.path() / "w";

    Fixture() {
        own.write("outside/file", "theirs");
        own.write("w/file", "mine");
        fs::create_directory_symlink("../outside", w / "out");
        fs::create_symlink("../outside/file", w / "leak");
    }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "a link is refused by name, with what to do") {
    const std::string link = (w / "out").string() + " is a symbolic link";
    CHECK_THROWS_WITH_AS(workspace::write(w, "out/deep/new", ""), doctest::Contains(link.c_str()),
                         model::UsageError);
    CHECK_THROWS_WITH_AS(workspace::add(w, "out/new", ""),
                         doctest::Contains("put the file or folder itself there"), model::UsageError);
    CHECK_THROWS_AS(workspace::replace(w, "out/file", ""), model::UsageError);
    CHECK_THROWS_AS(workspace::make_folder(w, "out/new"), model::UsageError);
    CHECK_THROWS_AS(workspace::require_no_link(w, "out/file"), model::UsageError);
    CHECK_THROWS_WITH_AS(workspace::write(w, "leak", ""),
                         doctest::Contains("put the file or folder itself there"), model::UsageError);
    CHECK_FALSE(workspace::add(w, "leak", ""));
    CHECK(own.read("outside/file") == "theirs");
    CHECK(std::distance(fs::directory_iterator(own.path() / "outside"), {}) == 1);
}

TEST_CASE_FIXTURE(Fixture, "a workspace that a link leads to is written") {
    fs::create_directory_symlink("w", own.path() / "link");
    workspace::write(own.path() / "link", "a/b", "text");
    CHECK(own.read("w/a/b") == "text");
    CHECK_NOTHROW(workspace::require_no_link(own.path() / "link", "a/b"));
}

TEST_CASE_FIXTURE(Fixture, "what is replaced is kept, a link as a link") {
    const auto backup = workspace::replace(w, "file", "new");
    REQUIRE(backup);
    CHECK(own.read("w/file") == "new");
    CHECK(own.read((*backup).lexically_relative(own.path()).string()) == "mine");
    const auto link = workspace::replace(w, "leak", "new");
    REQUIRE(link);
    CHECK(fs::is_symlink(*link));
    CHECK(own.read("w/leak") == "new");
    CHECK(own.read("outside/file") == "theirs");
    CHECK_FALSE(workspace::replace(w, "other", "new"));
    CHECK(own.read("w/other") == "new");
}

TEST_CASE_FIXTURE(Fixture, "a file in the place of a folder is no reason to look for a link") {
    CHECK_THROWS_WITH_AS(workspace::write(w, "file/below", ""), doctest::Contains("Not a directory"),
                         model::EnvironmentError);
}
