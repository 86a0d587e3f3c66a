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
    workspace::write_record(folder.path(), {.files = {{"a/b.h", "12"}}});
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

TEST_CASE("a damaged one is told from one of a newer engine") {
    const test::Folder folder;
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    for (const std::string& text : std::vector<std::string>{
             deep + "}\n", R"({"format": "engine.workspace/1", "files": )" + deep + "}\n", "[]", "{}",
             R"({"format": 1, "files": {}})", R"({"format": "engine.workspace/", "files": {}})",
             R"({"format": "engine.workspace/-1", "files": {}})",
             R"({"format": "engine.workspace/99999999999999999999", "files": {}})",
             R"({"format": "engine.report/1", "files": {}})", R"({"format": "engine.workspace/1"})",
             R"({"format": "engine.workspace/1", "files": {"a": 1}})"}) {
        CAPTURE(text.substr(0, 80));
        folder.write(file, text);
        CHECK_THROWS_AS(workspace::read_record(folder.path()), workspace::Damaged);
        CHECK(refusal(folder).find("is damaged") != std::string::npos);
    }
}

TEST_CASE("what a full disk has left of one is not called damaged") {
    const test::Folder folder;
    workspace::write_record(folder.path(), {.files = {{"a/b.h", "12"}}});
    const std::string whole = folder.read(file);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, whole.size() / 2}) {
        folder.write(file, whole.substr(0, size));
        const std::string words = refusal(folder);
        CHECK(words.find("full disk") != std::string::npos);
        CHECK(words.find("damaged") == std::string::npos);
    }
}

TEST_CASE("a folder in its place is refused") {
    const test::Folder folder;
    folder.write(".engine/workspace.json/in", "");
    CHECK_THROWS_AS(workspace::read_record(folder.path()), workspace::Damaged);
    CHECK_THROWS_AS(workspace::write_record(folder.path(), {}), model::EnvironmentError);
}

TEST_CASE("a digest tells contents apart") {
    CHECK(workspace::digest("a") == workspace::digest("a"));
    CHECK(workspace::digest("a") != workspace::digest("b"));
}
