#include "app/scaffold/scaffold.h"

#include "app/verify/blanks.h"
#include "catalogue/catalogue.h"
#include "model/errors.h"
#include "unit/app/folder.h"

#include <doctest/doctest.h>

namespace {

namespace fs = std::filesystem;

/// A source tree with a course of one other problem.
struct Tree {
    Tree() {
        layout.problems = folder.path() / "problems";
        layout.exercises = folder.path() / "exercises";
        layout.reference = folder.path() / "reference";
        layout.schemas = ENGINE_SOURCE_DIR "/schemas";
        layout.templates = ENGINE_SOURCE_DIR "/app/scaffold/template";
        folder.write("problems/curriculum.json",
                     R"({"format": "engine.curriculum/1", "title": "t", "problems": ["other"]})");
        folder.write("CMakeLists.txt", "");
        fs::create_directories(layout.exercises);
        fs::create_directories(layout.reference);
    }
    test::Folder folder;
    build::Layout layout;
};

} // namespace

TEST_CASE("a new problem is a package that the catalogue reads, with blanks in every file of words") {
    const Tree tree;
    const auto files = scaffold::make_problem(tree.layout, "my-problem-2");
    CHECK(files.size() == 12);
    for (const fs::path& file : files)
        CHECK(fs::exists(file));
    // The build keeps starters; here they are those in exercises/.
    const auto problem =
        catalogue::load_problem({tree.layout.problems, tree.layout.exercises, tree.layout.reference,
                                 tree.layout.exercises, tree.layout.schemas},
                                "my-problem-2");
    CHECK(problem.id == "my-problem-2");
    CHECK(problem.mistakes.size() == 1);
    CHECK(problem.tests.size() == 3);
    CHECK(verify::find_blanks(tree.layout, "my-problem-2").size() > 40);
}

TEST_CASE("a name that is no id is refused and nothing is written") {
    const Tree tree;
    for (const char* id : {"", "My-Problem", "my_problem", "../up", "a/b", "-a", "a--b", "a b"}) {
        CAPTURE(id);
        CHECK_THROWS_AS(scaffold::make_problem(tree.layout, id), model::UsageError);
    }
    CHECK(std::distance(fs::directory_iterator(tree.layout.exercises), {}) == 0);
}

TEST_CASE("a problem that exists in any of the three folders is refused and left alone") {
    const Tree tree;
    tree.folder.write("reference/mine/mine.cpp", "kept");
    CHECK_THROWS_AS(scaffold::make_problem(tree.layout, "mine"), model::UsageError);
    CHECK(tree.folder.read("reference/mine/mine.cpp") == "kept");
    CHECK(!fs::exists(tree.layout.problems / "mine"));
}

TEST_CASE("an installed engine, and a tree without one of the folders, are refused") {
    Tree tree;
    fs::remove(tree.folder.path() / "CMakeLists.txt");
    CHECK_THROWS_AS(scaffold::make_problem(tree.layout, "mine"), model::UsageError);
    tree.folder.write("CMakeLists.txt", "");
    tree.layout.reference = tree.folder.path() / "nowhere";
    CHECK_THROWS_AS(scaffold::make_problem(tree.layout, "mine"), model::UsageError);
    CHECK(!fs::exists(tree.layout.problems / "mine"));
}

TEST_CASE("a missing template leaves nothing behind") {
    Tree tree;
    tree.layout.templates = tree.folder.path() / "nowhere";
    CHECK_THROWS_AS(scaffold::make_problem(tree.layout, "mine"), model::EnvironmentError);
    CHECK(!fs::exists(tree.layout.problems / "mine"));
}
