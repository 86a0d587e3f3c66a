#include "workspace/complete.h"

#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

namespace fs = std::filesystem;
using workspace::complete;
using workspace::Completed;
using workspace::File;
using Paths = std::vector<fs::path>;

namespace {

const std::vector<std::string> ids{"token-lookup"};
const std::vector<File> files{{"exercises/common/ids.h", "ids"},
                              {"exercises/token-lookup/lookup.cpp", "starter"},
                              {"README.md", "words"}};

} // namespace

TEST_CASE("a folder that is not there, an empty one and a new repository become workspaces") {
    for (const char* name : {"new/w", "empty", "repository"}) {
        CAPTURE(name);
        const test::Folder folder;
        fs::create_directories(folder.path() / "empty");
        folder.write("repository/.git/HEAD", "");
        const fs::path w = folder.path() / name;
        CHECK(complete(w, files, ids).added.size() == 3);
        CHECK(folder.read(std::string(name) + "/exercises/token-lookup/lookup.cpp") == "starter");
        CHECK(workspace::read_record(w)->files.size() == 3);
        CHECK(complete(w, files, ids).added.empty());
    }
}

TEST_CASE("what is missing comes back, and what is there stays") {
    const test::Folder folder;
    folder.write("exercises/token-lookup/lookup.cpp", "mine");
    folder.write("README.md", "my notes");
    fs::create_symlink("nowhere", folder.path() / ".clangd");
    std::vector<File> more = files;
    more.push_back({".clangd", "flags"});
    CHECK(complete(folder.path(), more, ids).added == Paths{"exercises/common/ids.h"});
    CHECK(folder.read("exercises/token-lookup/lookup.cpp") == "mine");
    CHECK(folder.read("README.md") == "my notes");
    CHECK(fs::is_symlink(folder.path() / ".clangd"));
    CHECK(!fs::exists(folder.path() / "nowhere"));
}

TEST_CASE("a newer engine renews what nobody has touched, and nothing else") {
    const test::Folder folder;
    complete(folder.path(), files, ids);
    folder.write("exercises/token-lookup/lookup.cpp", "mine");
    std::vector<File> newer = files;
    for (File& file : newer)
        file.text += ", newer";
    const Completed done = complete(folder.path(), newer, ids);
    CHECK(done.added.empty());
    CHECK(done.renewed == Paths{"exercises/common/ids.h", "README.md"});
    CHECK(folder.read("README.md") == "words, newer");
    CHECK(folder.read("exercises/token-lookup/lookup.cpp") == "mine");
    CHECK(complete(folder.path(), newer, ids).renewed.empty());
}

TEST_CASE("a file that only looks like ours is the learner's") {
    const test::Folder folder;
    folder.write("exercises/common/ids.h", "ids");
    complete(folder.path(), files, ids); // did not write it
    std::vector<File> newer = files;
    newer[0].text = "newer";
    CHECK(complete(folder.path(), newer, ids).renewed.empty());
    CHECK(folder.read("exercises/common/ids.h") == "ids");
}

TEST_CASE("anything else is refused and left alone") {
    const test::Folder folder;
    folder.write("other/thesis.tex", "");
    folder.write("file", "");
    folder.write("newer/exercises/common/ids.h", "");
    folder.write("newer/.engine/workspace.json", R"({"format": "engine.workspace/7"})");
    CHECK_THROWS_AS(complete(folder.path() / "other", files, ids), model::UsageError);
    CHECK_THROWS_AS(complete(folder.path() / "file", files, ids), model::UsageError);
    CHECK_THROWS_AS(complete(folder.path() / "newer", files, ids), model::EnvironmentError);
    CHECK(!fs::exists(folder.path() / "other/exercises"));
    CHECK(!fs::exists(folder.path() / "newer/README.md"));
}

TEST_CASE("a file in the place of a folder is said") {
    const test::Folder folder;
    folder.write("exercises/token-lookup/lookup.cpp", "");
    folder.write("exercises/common", "a file");
    CHECK_THROWS_WITH_AS(complete(folder.path(), files, ids),
                         doctest::Contains((folder.path() / "exercises/common").c_str()),
                         model::EnvironmentError);
}
