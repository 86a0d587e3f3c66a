#include "system/beneath.h"

#include "unit/folder.h"

#include <cerrno>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace fs = std::filesystem;

TEST_CASE("links above the folder are followed, and none below it") {
    const test::Folder own;
    fs::create_directories(own.path() / "real/sub");
    own.write("real/sub/file", "text");
    own.write("outside", "secret");
    fs::create_directory_symlink("real", own.path() / "link");
    fs::create_directory_symlink("sub", own.path() / "real/inner");
    fs::create_symlink("../../outside", own.path() / "real/sub/leak");
    fs::create_symlink("/etc/passwd", own.path() / "real/absolute");
    fs::create_symlink("sub/file", own.path() / "real/beside");

    const sys::Fd folder = sys::open_folder(own.path() / "link");
    REQUIRE(folder);
    CHECK(sys::open_beneath(folder, "sub/file", O_RDONLY));
    for (const char* name : {"inner/file", "sub/leak", "absolute", "beside"}) {
        CAPTURE(name);
        CHECK_FALSE(sys::open_beneath(folder, name, O_RDONLY));
        CHECK(errno == ELOOP);
    }
}

TEST_CASE("nothing above the folder is reached") {
    const test::Folder own;
    fs::create_directory(own.path() / "sub");
    own.write("outside", "secret");
    const sys::Fd folder = sys::open_folder(own.path() / "sub");
    CHECK_FALSE(sys::open_beneath(folder, "../outside", O_RDONLY));
    CHECK(errno == EXDEV);
    CHECK_FALSE(sys::open_beneath(folder, "/etc/passwd", O_RDONLY));
    CHECK(errno == EXDEV);
}

TEST_CASE("a pipe is opened without waiting, and a file can be made") {
    const test::Folder own;
    REQUIRE(mkfifo((own.path() / "pipe").c_str(), 0600) == 0);
    const sys::Fd folder = sys::open_folder(own.path());
    CHECK(sys::open_beneath(folder, "pipe", O_RDONLY));
    CHECK(sys::open_beneath(folder, "new", O_WRONLY | O_CREAT, 0600));
    CHECK(fs::exists(own.path() / "new"));
    CHECK_FALSE(sys::open_folder(own.path() / "new"));
}
