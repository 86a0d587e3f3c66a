#include "system/write_beneath.h"

#include "system/beneath.h"
#include "unit/folder.h"

#include <cerrno>
#include <doctest/doctest.h>

namespace fs = std::filesystem;
using sys::Present;

namespace {

struct Fixture {
    test::Folder own;
    sys::Fd folder;

    Fixture() {
        fs::create_directories(own.path() / "real/sub");
        own.write("outside/file", "theirs");
        own.write("real/file", "old");
        fs::create_directory_symlink("real", own.path() / "link");
        fs::create_directory_symlink("sub", own.path() / "real/inner");
        fs::create_directory_symlink("../outside", own.path() / "real/out");
        fs::create_symlink("../outside/file", own.path() / "real/leak");
        fs::create_symlink("../outside/new", own.path() / "real/dangling");
        folder = sys::open_folder(own.path() / "link");
    }
};

} // namespace

TEST_CASE_FIXTURE(Fixture,
                  "a file is written below a folder that a link leads to, with the folders on the way") {
    CHECK(sys::write_beneath(folder, "a/b/c", "text"));
    CHECK(own.read("real/a/b/c") == "text");
    CHECK(sys::write_beneath(folder, "file", "new"));
    CHECK(own.read("real/file") == "new");
    CHECK(std::distance(fs::directory_iterator(own.path() / "real/a/b"), {}) == 1);
}

TEST_CASE_FIXTURE(Fixture, "no link below the folder is followed, and what it leads to stays") {
    for (const Present present : {Present::replace, Present::keep})
        for (const char* name : {"inner/new", "out/file", "out/new", "out/deeper/new"}) {
            CAPTURE(name);
            CHECK_FALSE(sys::write_beneath(folder, name, "mine", present));
            CHECK(errno == ELOOP);
        }
    for (const char* name : {"leak", "dangling"}) {
        CAPTURE(name);
        CHECK_FALSE(sys::write_beneath(folder, name, "mine"));
        CHECK(errno == ELOOP);
        CHECK_FALSE(sys::write_beneath(folder, name, "mine", Present::keep));
        CHECK(errno == EEXIST);
        CHECK(fs::is_symlink(own.path() / "real" / name));
    }
    CHECK(own.read("outside/file") == "theirs");
    CHECK(std::distance(fs::directory_iterator(own.path() / "outside"), {}) == 1);
    CHECK(fs::is_empty(own.path() / "real/sub"));
}

TEST_CASE_FIXTURE(Fixture, "nothing above the folder is reached") {
    for (const char* name : {"../outside/file", "sub/../../outside/file", "/tmp/engine-test-absolute"}) {
        CAPTURE(name);
        CHECK_FALSE(sys::write_beneath(folder, name, "mine"));
        CHECK(errno == EXDEV);
    }
    CHECK(own.read("outside/file") == "theirs");
}

TEST_CASE_FIXTURE(Fixture, "what is to be kept is kept") {
    CHECK_FALSE(sys::write_beneath(folder, "file", "new", Present::keep));
    CHECK(errno == EEXIST);
    CHECK(own.read("real/file") == "old");
    CHECK(sys::write_beneath(folder, "other", "new", Present::keep));
    CHECK(own.read("real/other") == "new");
}

TEST_CASE_FIXTURE(Fixture, "a file in the place of a folder is said, and nothing is left over") {
    CHECK_FALSE(sys::write_beneath(folder, "file/below", "text"));
    CHECK(errno == ENOTDIR);
    CHECK_FALSE(sys::write_beneath(folder, "sub", "text")); // a folder in the place of a file
    for (const fs::directory_entry& entry : fs::directory_iterator(own.path() / "real"))
        CHECK_FALSE(entry.path().filename().string().starts_with(".new-"));
}

TEST_CASE_FIXTURE(Fixture, "a link is made in the place of another, and never through one") {
    CHECK(sys::link_beneath(folder, "links/a", "/old"));
    CHECK(sys::link_beneath(folder, "links/a", "/new"));
    CHECK(fs::read_symlink(own.path() / "real/links/a") == "/new");
    CHECK_FALSE(sys::link_beneath(folder, "out/a", "/new"));
    CHECK(errno == ELOOP);
    CHECK_FALSE(sys::link_beneath(folder, "sub", "/new"));
    CHECK(fs::is_directory(own.path() / "real/sub"));
    CHECK(std::distance(fs::directory_iterator(own.path() / "outside"), {}) == 1);
}
