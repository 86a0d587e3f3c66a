#include "catalogue/curriculum_check.h"

#include "catalogue/collections.h"
#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace {

using Ids = std::vector<std::string>;

/// A collection whose manifests are those of the template.
struct Collection {
    explicit Collection(const Ids& listed, const std::string& title = "t") {
        folder.write(
            "problems/curriculum.json",
            nlohmann::json{{"format", "engine.curriculum/1"}, {"title", title}, {"problems", listed}}.dump());
    }
    void add(const std::string& id, const Ids& needs = {}) const {
        std::ifstream stream(ENGINE_SOURCE_DIR "/app/scaffold/template/cpp/problems/problem.json");
        nlohmann::json manifest = nlohmann::json::parse(stream);
        manifest["id"] = id;
        manifest["prerequisites"] = needs;
        folder.write("problems/" + id + "/problem.json", manifest.dump());
    }
    catalogue::Content content() const {
        return {folder.path() / "problems", folder.path() / "exercises", folder.path() / "reference",
                folder.path() / "exercises", ENGINE_SOURCE_DIR "/schemas"};
    }
    Ids faults(const Ids& earlier = {}) const { return catalogue::curriculum_faults(content(), earlier); }

    test::Folder folder;
};

} // namespace

TEST_CASE("an order in which everything fits has no fault") {
    const Collection collection({"a", "b"});
    collection.add("a");
    collection.add("b", {"a"});
    CHECK(collection.faults().empty());
}

TEST_CASE("every fault of an order is named with file and place") {
    const Collection collection({"b", "nowhere", "a"});
    collection.add("a");
    collection.add("b", {"a", "far"});
    collection.add("c");
    CHECK(
        collection.faults() ==
        Ids{"problems/curriculum.json: /problems/1 must be a problem of this collection (got \"nowhere\")",
            "problems/curriculum.json: /problems has no \"c\", which problems/c is",
            "problems/curriculum.json: /problems/0 comes before its prerequisite \"a\" (/problems/2)",
            "problems/b/problem.json: /prerequisites/1 must be a problem of curriculum.json (got \"far\")"});
    CHECK(collection.faults({"far"}).size() == 3);
}

TEST_CASE("a circle of prerequisites is named once, whichever way one goes round") {
    const Collection collection({"a", "b", "c"});
    collection.add("a", {"c"});
    collection.add("b", {"a"});
    collection.add("c", {"b"});
    const Ids faults = collection.faults();
    CHECK(faults.size() == 2); // and one of them comes too early
    CHECK(faults.back() ==
          "problems/a/problem.json: /prerequisites lead back to the problem: a needs c needs b needs a");
}

TEST_CASE("a problem that needs itself, and a manifest that cannot be read, are named") {
    const Collection collection({"a", "b"});
    collection.add("a", {"a"});
    collection.folder.write("problems/b/problem.json", "{");
    const Ids faults = collection.faults();
    REQUIRE(faults.size() == 3);
    CHECK(faults[0].starts_with("cannot read problems/b/problem.json: line 1"));
    CHECK(faults[2] == "problems/a/problem.json: /prerequisites lead back to the problem: a needs a");
}

TEST_CASE("collections are one after the other, and ids are unique over all of them") {
    const Collection one({"a"});
    const Collection two({"b"}, "u");
    one.add("a");
    two.add("b", {"a"});
    const model::Curriculum both = catalogue::load_all({one.content(), two.content()});
    CHECK(both.title == "t");
    REQUIRE(both.problems.size() == 2);
    CHECK(both.problems[0].collection == "t");
    CHECK(both.problems[1].collection == "u");
    CHECK_THROWS_AS(catalogue::load_all({two.content(), one.content()}), model::ContentError);
    CHECK(catalogue::holder_of({one.content(), two.content()}, "c") == nullptr);
    CHECK(catalogue::holder_of({one.content(), two.content()}, "../problems/a") == nullptr);

    two.add("a"); // not listed, but there
    const std::string places =
        "two collections have the problem a: " + (one.folder.path() / "problems/a").string() + " and " +
        (two.folder.path() / "problems/a").string();
    CHECK_THROWS_WITH_AS(catalogue::load_all({one.content(), two.content()}),
                         doctest::Contains(places.c_str()), model::ContentError);
    CHECK_THROWS_WITH_AS(catalogue::load_from({one.content(), two.content()}, "a"),
                         doctest::Contains(places.c_str()), model::ContentError);
}
