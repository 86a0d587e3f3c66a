#include "app/watching/file_watch.h"

#include "unit/folder.h"

#include <chrono>
#include <doctest/doctest.h>
#include <poll.h>
#include <thread>

namespace {

namespace fs = std::filesystem;
using watching::FileWatch;

/// Whether a change is told within a second; asks as often as the watch wants to be asked.
bool told(FileWatch& watch) {
    using clock = std::chrono::steady_clock;
    for (const auto end = clock::now() + std::chrono::seconds(1); clock::now() < end;) {
        pollfd waiting{watch.fd(), POLLIN, 0};
        const auto patience = watch.patience();
        poll(&waiting, 1, patience ? static_cast<int>(patience->count()) : 300);
        if (watch.changed()) return true;
    }
    return false;
}

struct Scene {
    test::Folder folder;
    fs::path exercise = folder.path() / "exercise";

    Scene() { folder.write("exercise/lookup.cpp", "old"); }
    void write(const std::string& name) const { folder.write("exercise/" + name, "new"); }
    FileWatch watch() const { return {exercise, {"lookup.cpp"}}; }
};

} // namespace

TEST_CASE("nothing is told before a save, and each save once") {
    const Scene scene;
    FileWatch watch = scene.watch();
    CHECK_FALSE(watch.changed());
    CHECK_FALSE(watch.patience().has_value());
    scene.write("lookup.cpp");
    CHECK(told(watch));
    CHECK_FALSE(watch.changed());
}

TEST_CASE("a file that takes the name by renaming is a save, and moving the old one away first is none") {
    const Scene scene;
    FileWatch watch = scene.watch();
    scene.write("4913");
    CHECK_FALSE(watch.changed());
    fs::rename(scene.exercise / "lookup.cpp", scene.exercise / "lookup.cpp~");
    CHECK_FALSE(watch.changed());
    fs::rename(scene.exercise / "4913", scene.exercise / "lookup.cpp");
    CHECK(told(watch));
    CHECK_FALSE(told(watch)); // the absence in between is forgotten
}

TEST_CASE("other files of the folder do not count") {
    const Scene scene;
    FileWatch watch = scene.watch();
    scene.write("notes.txt");
    scene.write("lookup.cpp.swp");
    CHECK_FALSE(told(watch));
}

TEST_CASE("a file that goes and stays away is told") {
    const Scene scene;
    FileWatch watch = scene.watch();
    fs::remove(scene.exercise / "lookup.cpp");
    CHECK(told(watch));
    CHECK_FALSE(told(watch));
}

TEST_CASE("a folder that goes is told, and watched again when it is back") {
    for (const bool moved : {false, true}) {
        CAPTURE(moved);
        const Scene scene;
        FileWatch watch = scene.watch();
        if (moved)
            fs::rename(scene.exercise, scene.folder.path() / "elsewhere");
        else
            fs::remove_all(scene.exercise);
        CHECK(told(watch));
        CHECK(watch.patience().has_value());
        scene.write("lookup.cpp");
        CHECK(told(watch));
        scene.write("lookup.cpp");
        CHECK(told(watch));
    }
}

TEST_CASE("a folder that is not there yet is waited for") {
    const test::Folder folder;
    FileWatch watch(folder.path() / "exercise", {"lookup.cpp"});
    CHECK_FALSE(watch.changed());
    folder.write("exercise/lookup.cpp", "new");
    CHECK(told(watch));
}
