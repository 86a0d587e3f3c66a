#include "workspace/files.h"

#include <nlohmann/json.hpp>

namespace workspace {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A YAML scalar in single quotes, in which only the quote itself is special.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char letter : text)
        result += letter == '\'' ? std::string("''") : std::string(1, letter);
    return result + "'";
}

constexpr std::string_view compile_flags = "-std=c++20\n-Iexercises\n";

// The host's side of CUDA alone: Clang's other half would need an installation, and a kind of device.
constexpr std::string_view clangd =
    R"(# How clangd reads your exercises: headers are C++, and CUDA needs no installation.
Diagnostics:
  ClangTidy:
    Remove: bugprone-integer-division # 2 * (i / 2) is meant here
---
If:
  PathMatch: .*\.h
CompileFlags:
  Add: [-xc++]
---
If:
  PathMatch: .*\.cuh?
CompileFlags:
  Add:
    - -xcuda
    - --cuda-host-only
    - -nocudainc
    - -nocudalib
    - -Wno-unknown-cuda-version
    - -isystem
    - @EMULATOR@
    - -include
    - cuda_runtime.h
)";

Json pattern(const char* expression, const Json& groups) {
    Json result{{"regexp", expression}};
    result.update(groups);
    return result;
}

/// One problem matcher for each way in which the engine's report names a line. The compiler's paths begin
/// where the engine was started, the others at the exercise's folder, which is that of the open file.
Json matchers() {
    const auto matcher = [](Json patterns, const char* severity, const char* folder = "${fileDirname}") {
        return Json{{"owner", "engine"},
                    {"source", "engine"},
                    {"fileLocation", {"relative", folder}},
                    {"severity", severity},
                    {"pattern", std::move(patterns)}};
    };
    return Json::array(
        {matcher(Json::array(
                     {pattern(R"(^ {2}(\S+?):(\d+)(?::(\d+))?: (error|warning|note): (.+)$)",
                              {{"file", 1}, {"line", 2}, {"column", 3}, {"severity", 4}, {"message", 5}})}),
                 "error", "${workspaceFolder}"),
         matcher(Json::array({pattern(
                     R"(^ {2}The (?:memory|thread) check found: (.+) at (\S+?):(\d+)(?:,.*| and.*)?$)",
                     {{"message", 1}, {"file", 2}, {"line", 3}})}),
                 "error"),
         matcher(Json::array({pattern(R"(^ {4}(\S+?):(\d+): ([a-z_]+: .+)$)",
                                      {{"file", 1}, {"line", 2}, {"message", 3}})}),
                 "warning")});
}

Json task(const Names& names, const char* command, const char* group, bool with_problems) {
    const bool portable = names.has_portable_program();
    Json arguments{command, "${fileDirnameBasename}"};
    if (!portable) arguments.insert(arguments.begin(), std::string(run_script));
    const std::string program =
        !portable ? "sh"
        : names.has_inside(names.program)
            ? "${workspaceFolder}/" + names.program.lexically_relative(names.folder).string()
            : names.program.string();
    Json result{{"label", std::string("engine ") + command},
                {"detail", "for the exercise of the open file"},
                {"type", "process"},
                {"command", program},
                {"args", std::move(arguments)},
                {"options", {{"cwd", "${workspaceFolder}"}}},
                {"presentation", {{"clear", true}}},
                {"problemMatcher", with_problems ? matchers() : Json::array()}};
    if (*group != '\0') result["group"] = Json{{"kind", group}, {"isDefault", true}};
    return result;
}

std::string tasks(const Names& names) {
    const Json file{{"version", "2.0.0"},
                    {"tasks",
                     {task(names, "test", "build", true), task(names, "submit-build", "test", true),
                      task(names, "show", "", false), task(names, "hint", "", false)}}};
    return file.dump(2) + "\n";
}

} // namespace

std::string clangd_text(const std::string& emulator) {
    constexpr std::string_view placeholder = "@EMULATOR@";
    std::string text(clangd);
    return text.replace(text.find(placeholder), placeholder.size(), quoted(emulator));
}

std::vector<File> editor_files(const Names& names) {
    const std::string headers = names.has_inside(names.emulator)
                                    ? names.emulator.lexically_relative(names.folder).string()
                                    : std::string(copied_headers);
    return {{".clangd", clangd_text(headers)},
            {"compile_flags.txt", std::string(compile_flags)},
            {".vscode/tasks.json", tasks(names)}};
}

} // namespace workspace
