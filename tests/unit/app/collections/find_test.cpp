#include "collections/find.h"

#include "collections/unused.h"
#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

namespace fs = std::filesystem;
using collections::Collections;
using collections::Sources;

namespace {

/// The engine's own content in engine/, and collections wherever `add` puts them.
struct Places {
    Places() {
        add("engine");
        layout.problems = at("engine/problems");
        layout.exercises = at("engine/exercises");
        layout.reference = at("engine/reference");
        layout.starters = at("build/starters");
        layout.schemas = ENGINE_SOURCE_DIR "/schemas";
        fs::create_directories(at("here"));
    }
    void add(const std::string& name) const {
        folder.write(name + "/problems/curriculum.json", "");
        fs::create_directories(at(name) / "exercises");
        fs::create_directories(at(name) / "reference");
    }
    fs::path at(const std::string& name) const { return fs::canonical(folder.path()) / name; }
    Collections find(Sources sources) const {
        if (sources.here.empty()) sources.here = at("here");
        return collections::find(layout, sources);
    }

    test::Folder folder;
    build::Layout layout;
};

std::vector<fs::path> roots(const Collections& found) {
    std::vector<fs::path> list;
    for (const catalogue::Content& content : found.all)
        list.push_back(catalogue::root_of(content));
    return list;
}

} // namespace

TEST_CASE("the engine's own collection comes first, with the starters that were kept") {
    const Places places;
    const Collections found = places.find({});
    CHECK(roots(found) == std::vector{places.at("engine")});
    CHECK(found.all.front().starters == places.at("build/starters"));
    CHECK(!found.authors);
}

TEST_CASE("configuration, variable and option add theirs in this order, each once") {
    const Places places;
    for (const char* name : {"a", "b", "c"})
        places.add(name);
    places.folder.write("engine.json", R"({"format": "engine.config/1", "collections": [")" +
                                           places.at("a").string() + "\"]}");
    const Sources all{"../c", places.at("b").string(), places.at("engine.json"), {}, false};
    const Collections found = places.find(all);
    CHECK(roots(found) == std::vector{places.at("engine"), places.at("a"), places.at("b"), places.at("c")});
    CHECK(found.authors == 3);
    CHECK(found.all[1].starters == places.at("a/exercises"));
    CHECK(roots(places.find({"../b", places.at("b").string(), {}, {}, false})).size() == 2);
    CHECK(roots(places.find({"../engine", {}, {}, {}, false})).size() == 1);
}

TEST_CASE("the current folder counts for authors alone") {
    const Places places;
    places.add("mine");
    Sources sources{{}, {}, {}, places.at("mine"), false};
    CHECK(places.find(sources).all.size() == 1);
    sources.author = true;
    CHECK(places.find(sources).all.size() == 2);
    CHECK(places.find(sources).authors == 1);
    sources.here = places.at("mine/problems");
    CHECK(places.find(sources).all.size() == 1);
    sources.here = places.at("engine");
    CHECK(places.find(sources).authors == 0);
}

TEST_CASE("a folder that was named and is no collection is refused, with what is missing") {
    const Places places;
    CHECK_THROWS_WITH_AS(places.find({"../nowhere", {}, {}, {}, false}), doctest::Contains("--content"),
                         model::UsageError);
    places.add("half");
    fs::remove(places.at("half/reference"));
    CHECK_THROWS_WITH_AS(places.find({{}, places.at("half").string(), {}, {}, false}),
                         doctest::Contains("half/reference"), model::UsageError);
}

TEST_CASE("collections inside each other are refused, with both places") {
    const Places places;
    places.add("outer");
    places.add("outer/problems/x/inner");
    places.add("engine/mine");
    const std::string outer = places.at("outer").string();
    for (const Sources& sources : {Sources{"../outer/problems/x/inner", {}, {}, {}, false},
                                   Sources{"../outer/problems/x/inner", outer, {}, {}, false},
                                   Sources{"../outer", outer + "/problems/x/inner", {}, {}, false}}) {
        CHECK_THROWS_WITH_AS(
            places.find(sources),
            (outer + "/problems/x/inner lies inside the collection " + outer + "; move one of them elsewhere")
                .insert(0, "the collection ")
                .c_str(),
            model::ContentError);
    }
    CHECK_THROWS_AS(places.find({"../engine/mine", {}, {}, {}, false}), model::ContentError);
    places.add("outer2"); // the names begin alike, and that is all
    CHECK(places.find({"../outer2", outer, {}, {}, false}).all.size() == 3);
}

TEST_CASE("problems/ in a workspace, and in what --from names, is named unless it is used") {
    const Places places;
    places.add("here");
    const auto unused = [&](const Sources& sources, const fs::path& workspace, const fs::path& from) {
        return collections::unused_content(places.find(sources), workspace, from);
    };
    const fs::path here = places.at("here");
    const std::vector once{here / "problems"};
    CHECK(unused({}, here, {}) == once);
    CHECK(unused({}, {}, here) == once);
    CHECK(unused({}, here, here / "exercises/one/one.cpp") == once);
    CHECK(unused({}, {}, here / "exercises/one") == once);
    CHECK(unused({}, {}, {}).empty());
    CHECK(unused({"../here", {}, {}, {}, false}, here, here).empty());
    CHECK(unused({}, places.at("engine"), {}).empty()); // a clone is a workspace
}
