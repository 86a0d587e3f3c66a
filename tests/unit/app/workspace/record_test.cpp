#include "workspace/record.h"

#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

namespace {

const char* const file = ".engine/workspace.json";

std::string refusal(const test::Folder& folder) {
    const std::string before = folder.read(file);
    std::string words;
    try {
        workspace::read_record(folder.path());
    } catch (const model::EnvironmentError& error) {
        words = error.what();
    }
    CHECK(folder.read(file) == before);
    CHECK(words.find(folder.path().string()) != std::string::npos);
    return words;
}

} // namespace

TEST_CASE("a record is read back as it was written") {
    const test::Folder folder;
    CHECK(!workspace::read_record(folder.path()));
    REQUIRE(workspace::write_record(folder.path(), {.files = {{"a/b.h", "12"}}}));
    const auto record = workspace::read_record(folder.path());
    REQUIRE(record);
    CHECK(record->version == workspace::version);
    CHECK(record->files == std::map<std::string, std::string>{{"a/b.h", "12"}});
}

TEST_CASE("one of a newer engine is refused untouched") {
    const test::Folder folder;
    folder.write(file, R"({"format": "engine.workspace/2", "news": []})");
    CHECK(refusal(folder).find("a newer engine made it (version 2") != std::string::npos);
}

TEST_CASE("a damaged one is refused with what to do") {
    const test::Folder folder;
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    for (const std::string& text : std::vector<std::string>{
             "", deep, R"({"format": "engine.workspace/1", "files": )" + deep + "}", "{", "[]", "{}",
             R"({"format": 1, "files": {}})", R"({"format": "engine.workspace/", "files": {}})",
             R"({"format": "engine.workspace/-1", "files": {}})",
             R"({"format": "engine.workspace/99999999999999999999", "files": {}})",
             R"({"format": "engine.report/1", "files": {}})", R"({"format": "engine.workspace/1"})",
             R"({"format": "engine.workspace/1", "files": {"a": 1}})"}) {
        CAPTURE(text.substr(0, 80));
        folder.write(file, text);
        CHECK(refusal(folder).find("Move that file aside") != std::string::npos);
    }
}

TEST_CASE("a folder in its place is refused") {
    const test::Folder folder;
    folder.write(".engine/workspace.json/in", "");
    CHECK_THROWS_AS(workspace::read_record(folder.path()), model::EnvironmentError);
    CHECK(!workspace::write_record(folder.path(), {}));
}

TEST_CASE("a digest tells contents apart") {
    CHECK(workspace::digest("a") == workspace::digest("a"));
    CHECK(workspace::digest("a") != workspace::digest("b"));
}
