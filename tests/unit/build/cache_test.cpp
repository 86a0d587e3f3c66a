#include "build/cache.h"
#include "build/digest.h"
#include "build/scratch.h"
#include "build/worker_file.h"
#include "model/errors.h"
#include "setup.h"

#include <atomic>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace {

using build::Cache;

struct Opened {
    test::Folder folder;
    std::vector<std::string> warnings;
    Cache cache{folder.path() / "engine", [this](std::string_view text) { warnings.emplace_back(text); }};
};

void make_old(const test::fs::path& path, int seconds) {
    const timespec times[2] = {{time(nullptr) - seconds, 0}, {time(nullptr) - seconds, 0}};
    utimensat(AT_FDCWD, path.c_str(), times, 0);
}

} // namespace

TEST_CASE("what was stored is found again with its note, and another key is not") {
    Opened opened;
    opened.cache.store("1a", "program", "note");
    const auto found = opened.cache.find("1a");
    REQUIRE(found);
    CHECK(found->note == "note");
    CHECK(build::read_all(found->fd.get(), 1000)->starts_with("program"));
    CHECK_FALSE(opened.cache.find("1b"));
    CHECK(opened.warnings.empty());
}

TEST_CASE("any changed byte of an entry is noticed") {
    const std::string whole = build::pack("a program", "a note");
    REQUIRE(build::unpack(whole));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        CHECK_FALSE(build::unpack(damaged));
    }
    for (std::size_t size = 0; size < whole.size(); ++size)
        CHECK_FALSE(build::unpack(whole.substr(0, size)));
}

TEST_CASE("a damaged entry is removed when it is asked for") {
    Opened opened;
    const auto path = opened.cache.store("1a", "program", "").path;
    test::write(path, "something else");
    CHECK_FALSE(opened.cache.find("1a"));
    CHECK_FALSE(test::fs::exists(path));
}

TEST_CASE("eviction removes the least recently used entries, down to the bound and no further") {
    Opened opened;
    const std::string program(1000, 'x');
    for (const char* key : {"1a", "1b", "1c"})
        opened.cache.store(key, program, "");
    make_old(opened.cache.folder() / "1a.worker", 100);
    make_old(opened.cache.folder() / "1b.worker", 300);
    make_old(opened.cache.folder() / "1c.worker", 200);
    opened.cache.evict(2500);
    CHECK_FALSE(opened.cache.find("1b"));
    CHECK(opened.cache.find("1a"));
    CHECK(opened.cache.find("1c"));
}

TEST_CASE("an entry that is held open is not evicted, and one that was let go is") {
    Opened opened;
    {
        const auto held = opened.cache.store("1a", "program", "");
        opened.cache.evict(0);
        CHECK(test::fs::exists(held.path));
    }
    opened.cache.evict(0);
    CHECK_FALSE(opened.cache.find("1a"));
}

TEST_CASE("what a killed run left behind is swept by the next one, and nothing that is in use or not ours") {
    Opened opened;
    const auto left = opened.cache.folder() / "scratch-killed";
    const auto half = opened.cache.folder() / "new-killed";
    const auto other = opened.cache.folder() / "scratched";
    test::fs::create_directories(left / "src");
    test::write(left / "src/a.cpp", "text");
    test::write(half, "text");
    test::write(other, "text");
    const build::Scratch in_use(opened.cache.folder());
    const Cache next(opened.cache.folder(), {});
    CHECK_FALSE(test::fs::exists(left));
    CHECK_FALSE(test::fs::exists(half));
    CHECK(test::fs::exists(other));
    CHECK(test::fs::exists(in_use.path()));
}

TEST_CASE("the cache folder is private, also where it was not before") {
    test::Folder folder;
    const auto path = folder.path() / "engine";
    test::fs::create_directory(path);
    test::fs::permissions(path, test::fs::perms::owner_all | test::fs::perms::group_read |
                                    test::fs::perms::others_read);
    const Cache cache(path, {});
    CHECK(cache.folder() == path);
    CHECK(test::fs::status(path).permissions() == test::fs::perms::owner_all);
}

TEST_CASE("a folder that others can write to is refused, whatever lies in it") {
    test::Folder folder;
    const auto path = folder.path() / "engine";
    Cache(path, {}).store("1a", "program", "");
    test::fs::permissions(path, test::fs::perms::others_write, test::fs::perm_options::add);
    std::string warning;
    const Cache cache(path, [&](std::string_view text) { warning = text; });
    CHECK(cache.folder() != path);
    CHECK_FALSE(cache.find("1a"));
    CHECK(warning.find("others can write to it") != std::string::npos);
}

TEST_CASE("an entry that others can write to is not used") {
    Opened opened;
    const auto path = opened.cache.store("1a", "program", "").path;
    REQUIRE(build::open_entry(opened.cache.folder(), "1a"));
    test::fs::permissions(path, test::fs::perms::group_write, test::fs::perm_options::add);
    CHECK_FALSE(build::open_entry(opened.cache.folder(), "1a"));
    CHECK_FALSE(opened.cache.find("1a"));
}

TEST_CASE("an entry of another user is not used") {
    if (geteuid() != 0) {
        MESSAGE("skipped: only root can make a file of another user");
        return;
    }
    Opened opened;
    const auto path = opened.cache.store("1a", "program", "").path;
    REQUIRE(chown(path.c_str(), 12345, 12345) == 0);
    CHECK_FALSE(opened.cache.find("1a"));
    CHECK_FALSE(build::open_entry(opened.cache.folder(), "1a"));
}

TEST_CASE("a program comes back without what the cache has added to it") {
    Opened opened;
    const auto stored = opened.cache.store("1a", "program", "a note");
    CHECK(build::program_bytes(stored) == "program");
    const build::CachedWorker foreign{"a file", sys::Fd(open("/etc/passwd", O_RDONLY | O_CLOEXEC)), ""};
    CHECK_THROWS_AS(build::program_bytes(foreign), model::EnvironmentError);
}

TEST_CASE("a folder that cannot be used gives one warning and a temporary cache that works and goes away") {
    test::Folder folder;
    const auto path = folder.path() / "engine";
    test::write(path, "a file, not a folder");
    std::vector<std::string> warnings;
    test::fs::path used;
    {
        const Cache cache(path, [&](std::string_view text) { warnings.emplace_back(text); });
        used = cache.folder();
        CHECK(used != path);
        cache.store("1a", "program", "");
        CHECK(cache.find("1a"));
    }
    CHECK(warnings.size() == 1);
    CHECK_FALSE(test::fs::exists(used));
}

TEST_CASE("a folder of another user is refused") {
    if (geteuid() != 0) {
        MESSAGE("skipped: only root can make a folder of another user");
        return;
    }
    test::Folder folder;
    const auto path = folder.path() / "engine";
    test::fs::create_directory(path);
    REQUIRE(chown(path.c_str(), 12345, 12345) == 0);
    std::string warning;
    const Cache cache(path, [&](std::string_view text) { warning = text; });
    CHECK(cache.folder() != path);
    CHECK(warning.find("another user") != std::string::npos);
}

TEST_CASE("many threads that store and find the same keys always see whole entries") {
    Opened opened;
    std::atomic<int> wrong{0};
    const auto work = [&](int number) {
        for (int i = number; i < 100 + number; ++i) {
            const std::string key = std::to_string(1 + i % 5);
            opened.cache.store(key, std::string(20000, key[0]), key);
            const auto found = opened.cache.find(key);
            if (!found || found->note != key) ++wrong;
        }
    };

    {
        std::vector<std::jthread> threads;
        for (int number = 1; number <= 4; ++number)
            threads.emplace_back(work, number);
    }
    CHECK(wrong == 0);
}

TEST_CASE("a digest depends on where one part ends and the next begins") {
    using build::Digest;
    CHECK(Digest().add("ab").add("c").hex() != Digest().add("a").add("bc").hex());
    CHECK(Digest().add("ab").hex() == Digest().add("ab").hex());
    CHECK(Digest().hex() ==
          "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"); // BLAKE2b-256 of ""
}
