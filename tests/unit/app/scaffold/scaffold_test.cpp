#include "app/scaffold/scaffold.h"

#include "app/verify/blanks.h"
#include "catalogue/catalogue.h"
#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

namespace {

namespace fs = std::filesystem;

/// An empty folder, and an engine elsewhere.
struct Author {
    Author() {
        site.collection = at("mine");
        site.templates = ENGINE_SOURCE_DIR "/app/scaffold/template";
        site.engine = {at("engine"), at("build/exercises")};
        fs::create_directories(at("mine"));
        fs::create_directories(at("engine/problems"));
        fs::create_directories(at("build/exercises"));
    }
    fs::path at(const std::string& name) const { return fs::canonical(folder.path()) / name; }
    catalogue::Content content() const {
        return {at("mine/problems"), at("mine/exercises"), at("mine/reference"), at("mine/exercises"),
                ENGINE_SOURCE_DIR "/schemas"};
    }
    bool nothing_was_written() const {
        return fs::is_empty(at("mine")) && fs::is_empty(at("engine/problems"));
    }

    test::Folder folder;
    scaffold::Site site;
};

} // namespace

TEST_CASE(
    "an empty folder becomes a collection that the catalogue reads, with blanks in every file of words") {
    const Author author;
    const auto files = scaffold::make_problem(author.site, "my-problem-2");
    CHECK(files.size() == 14);
    for (const fs::path& file : files)
        CHECK(fs::exists(file));
    const auto problem = catalogue::load_problem(author.content(), "my-problem-2");
    CHECK(problem.id == "my-problem-2");
    CHECK(problem.mistakes.size() == 1);
    CHECK(problem.tests.size() == 3);
    CHECK(catalogue::load(author.content()).problems.size() == 1);
    CHECK(verify::find_blanks(author.content(), "my-problem-2").size() > 40);
}

TEST_CASE("a CUDA problem has what the catalogue demands of one") {
    const Author author;
    scaffold::make_problem(author.site, "my-kernel", model::Language::cuda);
    const auto problem = catalogue::load_problem(author.content(), "my-kernel");
    CHECK(problem.language == model::Language::cuda);
    CHECK(problem.accepted.size() == 1);
    CHECK(problem.mistakes.size() == 1);
    CHECK(verify::find_blanks(author.content(), "my-kernel").size() > 40);
}

TEST_CASE("a further problem comes last in the curriculum, and nothing else of it changes") {
    const Author author;
    scaffold::make_problem(author.site, "zeta");
    author.folder.write("mine/problems/curriculum.json",
                        R"({"title": "Mine", "format": "engine.curriculum/1", "problems": ["zeta"]})");
    scaffold::make_problem(author.site, "alpha");
    CHECK(author.folder.read("mine/problems/curriculum.json") ==
          "{\n  \"title\": \"Mine\",\n  \"format\": \"engine.curriculum/1\",\n  \"problems\": [\n    "
          "\"zeta\",\n    \"alpha\"\n  ]\n}\n");
    CHECK(catalogue::load(author.content()).title == "Mine");
}

TEST_CASE("a name that is no id is refused and nothing is written") {
    const Author author;
    for (const char* id : {"", "My-Problem", "my_problem", "../up", "a/b", "-a", "a--b", "a b"}) {
        CAPTURE(id);
        CHECK_THROWS_AS(scaffold::make_problem(author.site, id), model::UsageError);
    }
    CHECK(author.nothing_was_written());
}

TEST_CASE("a problem that exists in any of the three folders is refused and left alone") {
    const Author author;
    scaffold::make_problem(author.site, "other");
    author.folder.write("mine/reference/mine/mine.cpp", "kept");
    CHECK_THROWS_AS(scaffold::make_problem(author.site, "mine"), model::UsageError);
    CHECK(author.folder.read("mine/reference/mine/mine.cpp") == "kept");
    CHECK(!fs::exists(author.at("mine/problems/mine")));
}

TEST_CASE("the engine's own folders are refused, whatever leads to them") {
    Author author;
    for (const char* folder : {"engine", "engine/problems", "engine/problems/deeper", "build/exercises"}) {
        CAPTURE(folder);
        author.site.collection = author.at(folder);
        CHECK_THROWS_WITH_AS(scaffold::make_problem(author.site, "mine"),
                             doctest::Contains("the engine's own"), model::UsageError);
    }
    author.site.collection = author.at("link");
    fs::create_directory_symlink(author.at("engine"), author.at("link"));
    CHECK_THROWS_AS(scaffold::make_problem(author.site, "mine"), model::UsageError);
    author.site.collection = author.at("mine");
    fs::create_directory_symlink(author.at("engine/problems"), author.at("mine/problems"));
    CHECK_THROWS_AS(scaffold::make_problem(author.site, "mine"), model::UsageError);
    fs::remove(author.at("mine/problems"));
    CHECK(author.nothing_was_written());
}

TEST_CASE("a workspace, half a collection and a folder inside a collection are refused") {
    Author author;
    author.folder.write("mine/.engine/workspace.json", "{}");
    CHECK_THROWS_WITH_AS(scaffold::make_problem(author.site, "mine"), doctest::Contains("workspace"),
                         model::UsageError);
    fs::remove_all(author.at("mine/.engine"));
    fs::create_directory(author.at("mine/exercises"));
    CHECK_THROWS_WITH_AS(scaffold::make_problem(author.site, "mine"), doctest::Contains("curriculum.json"),
                         model::UsageError);
    fs::remove(author.at("mine/exercises"));
    scaffold::make_problem(author.site, "mine");
    author.site.collection = author.at("mine/reference/deeper");
    fs::create_directory(author.site.collection);
    CHECK_THROWS_WITH_AS(scaffold::make_problem(author.site, "other"),
                         doctest::Contains(author.at("mine").c_str()), model::UsageError);
    CHECK(fs::is_empty(author.site.collection));
}

TEST_CASE("a missing template, and a curriculum that cannot be added to, leave nothing behind") {
    Author author;
    author.folder.write("mine/problems/curriculum.json", "[1]");
    CHECK_THROWS_AS(scaffold::make_problem(author.site, "mine"), model::ContentError);
    fs::remove_all(author.at("mine/problems"));
    author.site.templates = author.at("nowhere");
    CHECK_THROWS_AS(scaffold::make_problem(author.site, "mine"), model::EnvironmentError);
    CHECK(author.nothing_was_written());
}
