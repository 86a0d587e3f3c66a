#include "workspace/selection.h"

#include "model/errors.h"
#include "unit/folder.h"

#include <cerrno>
#include <doctest/doctest.h>

TEST_CASE("what was selected is read back, and the last choice counts") {
    const test::Folder folder;
    CHECK_FALSE(workspace::selected(folder.path()).has_value());
    workspace::select(folder.path(), "dropout");
    workspace::select(folder.path(), "token-lookup");
    CHECK(workspace::selected(folder.path()) == "token-lookup");
}

TEST_CASE("a file without a whole line, too long or no file at all selects nothing") {
    const test::Folder folder;
    folder.write(".engine/selected", "drop");
    CHECK_FALSE(workspace::selected(folder.path()).has_value());
    folder.write(".engine/selected", std::string(1'000'000, 'x') + "\n");
    CHECK_FALSE(workspace::selected(folder.path()).has_value());
    std::filesystem::remove(folder.path() / ".engine/selected");
    std::filesystem::create_directory(folder.path() / ".engine/selected");
    CHECK_FALSE(workspace::selected(folder.path()).has_value());
}

TEST_CASE("a folder that refuses is told") {
    const test::Folder folder;
    folder.write(".engine", "a file");
    CHECK_THROWS_AS(workspace::select(folder.path(), "dropout"), model::EnvironmentError);
}
