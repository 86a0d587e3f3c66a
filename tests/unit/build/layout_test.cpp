#include "build/layout.h"
#include "house.h"
#include "model/errors.h"

namespace {

const std::string whole =
    R"({"version": "0.1.0", "compiler": "/usr/bin/g++", "exercises": "../share/exercises",
"problems": "../share/problems", "reference": "r", "starters": "s", "schemas": "c", "drivers": "/abs/drivers", "mistakes": "m", "canary": "k",
"objects": "objects", "preludes": "p", "worker_headers": "w", "templates": "t", "emulator": "e"})";

} // namespace

TEST_CASE("relative paths start at the layout file's own folder, absolute ones stay") {
    test::Folder folder;
    test::write(folder.path() / "bin/layout.json", whole);
    const auto layout = build::read_layout(folder.path() / "bin/layout.json");
    CHECK(layout.version == "0.1.0");
    CHECK(layout.exercises == folder.path() / "share/exercises");
    CHECK(layout.drivers == "/abs/drivers");
    CHECK(layout.table("x") == folder.path() / "bin/objects/x/table.o");
}

TEST_CASE("a layout that is missing, no JSON or without a key is a content error that names the file") {
    test::Folder folder;
    const auto file = folder.path() / "layout.json";
    CHECK_THROWS_AS(build::read_layout(file), model::ContentError);
    test::write(file, "{");
    CHECK_THROWS_AS(build::read_layout(file), model::ContentError);
    std::string lacking = whole;
    lacking.replace(lacking.find("drivers"), 7, "divers!");
    test::write(file, lacking);
    CHECK_THROWS_WITH_AS(build::read_layout(file), doctest::Contains("/drivers"), model::ContentError);
}
