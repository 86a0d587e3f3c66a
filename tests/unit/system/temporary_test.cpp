#include "system/cgroup.h"
#include "system/temporary.h"

#include "unit/folder.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace {

bool is_temporary(std::string_view name) {
    return name.starts_with("part-");
}

void sweep(const fs::path& folder) {
    sys::sweep(folder, is_temporary, [](const fs::path& path) { fs::remove_all(path); });
}

std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.insert(entry.path().filename());
    return names;
}

} // namespace

TEST_CASE("what is held stays, what was let go of is swept") {
    const test::Folder own;
    auto file = sys::make_temporary_file(own.path(), "part-");
    auto folder = sys::make_temporary_folder(own.path(), "part-");
    REQUIRE(file);
    REQUIRE(folder);
    sweep(own.path());
    CHECK(fs::exists(file->path));
    CHECK(fs::exists(folder->path));
    file->fd.reset();
    sweep(own.path());
    CHECK_FALSE(fs::exists(file->path));
    CHECK(fs::exists(folder->path));
    folder->fd.reset();
    sweep(own.path());
    CHECK(names_in(own.path()).empty());
}

TEST_CASE("what a killed process held is swept, with all that is in it") {
    const test::Folder own;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        const auto file = sys::make_temporary_file(own.path(), "part-");
        const auto folder = sys::make_temporary_folder(own.path(), "part-");
        if (!folder || mkdir((folder->path / "sub").c_str(), 0700) != 0) _exit(1);
        raise(SIGKILL);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(names_in(own.path()).size() == 2);
    sweep(own.path());
    CHECK(names_in(own.path()).empty());
}

TEST_CASE("a folder that is swept before it is held is made again") {
    const test::Folder own;
    std::atomic<bool> done = false;
    std::vector<std::jthread> sweepers;
    for (int i = 0; i < 4; ++i)
        sweepers.emplace_back([&] {
            while (!done)
                sys::sweep(own.path(), is_temporary, [](const fs::path& path) { rmdir(path.c_str()); });
        });
    constexpr int folders = 5'000;
    int made = 0;
    for (int i = 0; i < folders; ++i)
        if (sys::make_temporary_folder(own.path(), "part-")) ++made;
    done = true;
    CHECK(made == folders);
}

TEST_CASE("what cannot be made says why") {
    const test::Folder own;
    CHECK_FALSE(sys::make_temporary_folder(own.path() / "nowhere", "part-"));
    CHECK(errno == ENOENT);
}

TEST_CASE("other names, links and what lies deeper are left alone") {
    const test::Folder own;
    own.write("party", "text");
    own.write("sub/part-deep", "text");
    own.write("target", "text");
    fs::create_symlink("target", own.path() / "part-link");
    sweep(own.path());
    CHECK(names_in(own.path()) == std::set<std::string>{"party", "sub", "target", "part-link"});
    CHECK(fs::exists(own.path() / "sub/part-deep"));
}

TEST_CASE("another user's are left alone") {
    if (geteuid() != 0) {
        MESSAGE("skipped: only root can have another user's file made");
        return;
    }
    const test::Folder own;
    own.write("part-theirs", "text");
    REQUIRE(chown((own.path() / "part-theirs").c_str(), 65534, 65534) == 0);
    sweep(own.path());
    CHECK(fs::exists(own.path() / "part-theirs"));
}

TEST_CASE("what was swept away or belongs to another process cannot be held") {
    const test::Folder own;
    own.write("part-one", "text");
    const fs::path path = own.path() / "part-one";
    const sys::Fd first(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const sys::Fd second(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    CHECK(sys::hold(first.get(), path));
    CHECK_FALSE(sys::hold(second.get(), path));
    fs::remove(path);
    CHECK_FALSE(sys::hold(first.get(), path));
    own.write("part-one", "another");
    CHECK_FALSE(sys::hold(first.get(), path));
}

TEST_CASE("no two names are alike, and what cannot be made is said") {
    CHECK(sys::random_name("x-") != sys::random_name("x-"));
    CHECK(sys::random_name("x-").size() == 18);
    CHECK_FALSE(sys::make_temporary_file("/nowhere", "part-"));
    CHECK(errno == ENOENT);
}

TEST_CASE("a group that was made again is not swept by who is slow about the first one") {
    const test::Folder own;
    std::atomic<bool> done = false;
    std::atomic<int> met = 0;
    std::thread sweeper([&] {
        while (!done)
            sys::sweep(own.path(), is_temporary, [&](const fs::path& path) {
                ++met;
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                rmdir(path.c_str());
            });
    });
    int lost = 0;
    for (int attempt = 0; attempt < 20'000 && met < 60 && lost == 0; ++attempt) {
        const sys::Cgroup group({{own.path() / sys::random_name("part-"), {}}}, {});
        if (met > 0 && attempt % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        lost += fs::exists(group.folders().front()) ? 0 : 1;
    }
    done = true;
    sweeper.join();
    CHECK(met > 0);
    CHECK(lost == 0);
}
