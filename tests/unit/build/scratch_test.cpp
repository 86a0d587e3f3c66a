#include "build/scratch.h"
#include "setup.h"

#include <sys/stat.h>

using build::Scratch;

TEST_CASE("a plain file is taken out as it is, and one over the bound is not") {
    test::Folder folder;
    const Scratch scratch(folder.path());
    scratch.write("worker", "12345");
    CHECK(scratch.take("worker", 5) == "12345");
    CHECK_FALSE(scratch.take("worker", 4));
    CHECK_FALSE(scratch.take("other", 5));
}

TEST_CASE("nothing but a plain file of the folder itself is taken out") {
    test::Folder folder;
    test::write(folder.path() / "secret", "secret");
    const Scratch scratch(folder.path());
    test::fs::create_symlink(folder.path() / "secret", scratch.path() / "link");
    test::fs::create_hard_link(folder.path() / "secret", scratch.path() / "hard");
    test::fs::create_directory(scratch.path() / "folder");
    REQUIRE(mkfifo((scratch.path() / "pipe").c_str(), 0600) == 0);
    for (const char* name :
         {"link", "hard", "folder", "pipe", "../secret", "/etc/hostname", "/proc/self/exe"})
        CHECK_FALSE(scratch.take(name, 1000));
}

TEST_CASE("the folder goes away with all that was planted in it, and nothing outside goes with it") {
    test::Folder folder;
    test::write(folder.path() / "outside/file", "stays");
    test::fs::path path;
    {
        const Scratch scratch(folder.path());
        path = scratch.path();
        CHECK((test::fs::status(path).permissions() & test::fs::perms::all) == test::fs::perms::owner_all);
        test::fs::create_directory_symlink(folder.path() / "outside", path / "link");
        test::fs::create_directories(path / "deep/er");
    }
    CHECK_FALSE(test::fs::exists(path));
    CHECK(test::fs::exists(folder.path() / "outside/file"));
}

TEST_CASE("a file is never written through what lies there already") {
    test::Folder folder;
    test::write(folder.path() / "outside", "stays");
    const Scratch scratch(folder.path());
    test::fs::create_symlink(folder.path() / "outside", scratch.path() / "lookup.cpp");
    CHECK_THROWS(scratch.write("lookup.cpp", "text"));
    CHECK(build::read_file(folder.path() / "outside") == "stays");
}
