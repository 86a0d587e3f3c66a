#include "workspace/files.h"

#include "model/errors.h"
#include "unit/folder.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using workspace::File;
using workspace::Names;

namespace {

std::string text_of(const std::vector<File>& files, const std::filesystem::path& path) {
    const auto found = std::ranges::find(files, path, &File::path);
    REQUIRE(found != files.end());
    return found->text;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const Names installed{"/home/ada/w", "/usr/share/engine/emulator", "engine", "engine"};
const Names elsewhere{"/w", "/e", "'/opt/my engine'", "/opt/my engine"};
const Names in_clone{"/clone", "/clone/validator/emulator/include", "./engine", "/clone/engine"};

} // namespace

TEST_CASE("editors find the CUDA headers by a path that holds on every machine") {
    CHECK(has(text_of(editor_files(installed), ".clangd"), "- '.engine/cuda'\n"));
    CHECK(has(text_of(editor_files(in_clone), ".clangd"), "- 'validator/emulator/include'\n"));
    const Names odd{"/w", "/w/it's here", "engine", "engine"};
    CHECK(has(text_of(editor_files(odd), ".clangd"), "- 'it''s here'\n"));
    CHECK(!has(text_of(editor_files(odd), ".clangd"), "@"));
}

TEST_CASE("the tasks start the engine that made the workspace") {
    for (const auto& [names, command] :
         {std::pair(installed, "engine"), std::pair(in_clone, "${workspaceFolder}/engine"),
          std::pair(elsewhere, "sh")}) {
        const auto json = nlohmann::json::parse(text_of(editor_files(names), ".vscode/tasks.json"));
        REQUIRE(json["tasks"].size() == 4);
        for (const auto& task : json["tasks"]) {
            CHECK(task["command"] == command);
            CHECK(task["args"].size() == (task["command"] == "sh" ? 3 : 2));
        }
    }
}

TEST_CASE("what belongs to one machine is generated in the folder that git ignores") {
    const test::Folder folder;
    folder.write("e/cuda.h", "");
    folder.write("e/cuda/std/array", "array");
    Names names = elsewhere;
    names.emulator = folder.path() / "e";
    const auto files = workspace::generated(names);
    CHECK(files.size() == 3);
    CHECK(text_of(files, ".engine/run") == "exec '/opt/my engine' \"$@\"\n");
    CHECK(text_of(files, ".engine/cuda/cuda/std/array") == "array");
    CHECK(has(text_of(workspace::words(names), ".gitignore"), "/.engine/\n"));
    CHECK(has(text_of(workspace::words(names), "README.md"), "`sh .engine/run test`"));
    CHECK(workspace::generated(in_clone).empty());
    names.emulator = folder.path() / "nowhere";
    CHECK_THROWS_AS(workspace::generated(names), model::EnvironmentError);
}

TEST_CASE("the words have ten lines and name the engine as it is called there") {
    const std::string text = text_of(workspace::words(in_clone), "README.md");
    CHECK(std::ranges::count(text, '\n') == 10);
    CHECK(has(text, "`./engine test`"));
    CHECK(has(text_of(workspace::words(installed), "README.md"), "`engine test`"));
}

TEST_CASE("exercises are contracts, starters as shipped and what they share, and nothing else") {
    const test::Folder folder;
    folder.write("exercises/common/ids.h", "ids");
    folder.write("exercises/one/contract.h", "contract");
    folder.write("exercises/one/one.cpp", "somebody's solution");
    folder.write("exercises/one/notes.txt", "");
    folder.write("starters/one/one.cpp", "starter");
    build::Layout layout;
    layout.exercises = folder.path() / "exercises";
    model::Problem problem;
    problem.id = "one";
    problem.files = {"one.cpp"};
    problem.exercise = folder.path() / "exercises/one";
    problem.starters = {folder.path() / "starters/one/one.cpp"};
    const auto files = workspace::exercises(layout, {problem});
    CHECK(files.size() == 3);
    CHECK(text_of(files, "exercises/common/ids.h") == "ids");
    CHECK(text_of(files, "exercises/one/contract.h") == "contract");
    CHECK(text_of(files, "exercises/one/one.cpp") == "starter");

    folder.write("docs/fine-print.md", "fine print");
    const auto with_fine_print = workspace::exercises(layout, {problem});
    CHECK(with_fine_print.size() == 4);
    CHECK(text_of(with_fine_print, "docs/fine-print.md") == "fine print");

    problem.starters = {folder.path() / "starters/one/gone.cpp"};
    CHECK_THROWS_WITH_AS(workspace::exercises(layout, {problem}), doctest::Contains("gone.cpp"),
                         model::EnvironmentError);
    layout.exercises = folder.path() / "nowhere";
    CHECK_THROWS_AS(workspace::exercises(layout, {problem}), model::EnvironmentError);
}
