#include "workspace/find.h"

#include "unit/folder.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <unistd.h>

namespace fs = std::filesystem;
using workspace::Shape;

namespace {

const std::vector<std::string> two_ids{"dropout", "token-lookup"};

/// home/w is a workspace, home/w/exercises/token-lookup a folder in it.
struct Home {
    Home() { folder.write("home/w/exercises/common/ids.h", ""), make("home/w/exercises/token-lookup"); }
    void make(const fs::path& path) const { fs::create_directories(folder.path() / path); }
    fs::path at(const fs::path& path) const { return folder.path() / path; }

    /// Everything belongs to the user but these.
    workspace::Search find(const fs::path& start, const std::vector<fs::path>& foreign = {}) const {
        return workspace::find(at(start), two_ids, [&](const fs::path& path) {
            return std::ranges::none_of(foreign, [&](const fs::path& other) { return at(other) == path; });
        });
    }

    test::Folder folder;
};

} // namespace

TEST_CASE_FIXTURE(Home, "a workspace is found in the current folder and from below") {
    for (const char* start : {"home/w", "home/w/exercises", "home/w/exercises/token-lookup"}) {
        const auto found = find(start);
        CHECK(found.folder == at("home/w"));
        CHECK(found.shape == Shape::whole);
    }
    CHECK(!find("home").folder);
    CHECK(!find("home").passed_over);
}

TEST_CASE_FIXTURE(Home, "the nearest one counts") {
    make("home/w/inner/exercises/common");
    CHECK(find("home/w/inner").folder == at("home/w/inner"));
}

TEST_CASE_FIXTURE(Home, "an ancestor that belongs to somebody else is passed over, in each of its parts") {
    folder.write("home/w/.engine/progress.db", "");
    for (const char* part : {"home/w", "home/w/exercises", "home/w/exercises/common", "home/w/.engine"}) {
        CAPTURE(part);
        const auto found = find("home/w/exercises/token-lookup", {part});
        CHECK(!found.folder);
        CHECK(found.passed_over == at("home/w"));
    }
    CHECK(find("home/w", {"home/w"}).folder == at("home/w")); // who goes there means it
}

TEST_CASE_FIXTURE(Home, "above a foreign one the search goes on") {
    make("home/exercises/common");
    const auto found = find("home/w/exercises", {"home/w"});
    CHECK(found.folder == at("home"));
    CHECK(found.passed_over == at("home/w"));
}

TEST_CASE_FIXTURE(Home, "a part of a workspace is half of one, and ends the search") {
    make("home/w/part/exercises/dropout");
    CHECK(find("home/w/part/exercises/dropout").folder == at("home/w/part"));
    CHECK(find("home/w/part").shape == Shape::half);
    folder.write("home/w/state/.engine/progress.db", "");
    CHECK(find("home/w/state").shape == Shape::half);
    folder.write("home/w/made/.engine/workspace.json", "");
    CHECK(find("home/w/made").shape == Shape::half);
}

TEST_CASE_FIXTURE(Home, "exercises of another course and files of these names are no workspace") {
    make("home/course/exercises/week-1");
    CHECK(!find("home/course").folder);
    folder.write("home/files/exercises/dropout", "");
    CHECK(!find("home/files").folder);
    folder.write("home/more/exercises/common", "");
    CHECK(!find("home/more").folder);
}

TEST_CASE("nowhere there is nothing") {
    CHECK(!workspace::find("", two_ids, [](const fs::path&) { return true; }).folder);
}

TEST_CASE_FIXTURE(Home, "the ids are the folders that have a contract") {
    folder.write("content/dropout/contract.h", "");
    folder.write("content/common/ids.h", "");
    folder.write("content/README.md", "");
    CHECK(workspace::exercise_ids(at("content")) == std::vector<std::string>{"dropout"});
    CHECK(workspace::exercise_ids(at("nowhere")).empty());
}

TEST_CASE_FIXTURE(Home, "a folder is the user's with the owner of its link as well") {
    CHECK(workspace::belongs_to_user(at("home/w")));
    CHECK(!workspace::belongs_to_user(at("home/nowhere")));
    fs::create_directory_symlink("w", at("home/link"));
    CHECK(workspace::belongs_to_user(at("home/link")));
    if (geteuid() != 0) {
        CHECK(!workspace::belongs_to_user("/"));
        MESSAGE("skipped: only root can give files away");
        return;
    }
    REQUIRE(lchown(at("home/link").c_str(), 65534, 65534) == 0);
    CHECK(!workspace::belongs_to_user(at("home/link")));
    REQUIRE(lchown(at("home/w").c_str(), 65534, 65534) == 0);
    CHECK(!workspace::belongs_to_user(at("home/w")));
    setenv("SUDO_UID", "65534", 1);
    CHECK(workspace::belongs_to_user(at("home/w")));
    for (const char* other : {"65533", "", "65534x", "-1"}) {
        setenv("SUDO_UID", other, 1);
        CHECK(!workspace::belongs_to_user(at("home/w")));
    }
    unsetenv("SUDO_UID");
}
