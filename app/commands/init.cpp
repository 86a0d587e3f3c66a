#include "app/commands.h"
#include "model/errors.h"
#include "model/shell_word.h"
#include "workspace/complete.h"

#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

namespace fs = std::filesystem;

std::string go_there(const fs::path& here, const std::string& typed, const fs::path& folder) {
    return folder == here ? "" : fmt::format("cd {} && ", model::shell_word(typed));
}

/// Each file, and the many copied headers as their folder.
void say_each(const Context& context, const std::vector<fs::path>& files, std::string_view what) {
    bool headers = false;
    for (const fs::path& file : files) {
        const bool is_copy = file.string().starts_with(workspace::copied_headers);
        if (!is_copy || !headers)
            std::cout << context.fitted(
                fmt::format("{}: {}\n", is_copy ? workspace::copied_headers : file.string(), what));
        headers = headers || is_copy;
    }
}

} // namespace

ExitCode run_init(Context& context) {
    const std::string& typed = context.options().folder;
    std::error_code error;
    const fs::path folder = fs::weakly_canonical(context.here() / typed, error);
    if (error || typed.empty())
        throw model::UsageError("cannot make a workspace in '" + typed +
                                "': " + (error ? error.message() : "a folder needs a name"));
    const std::vector<std::string> ids = context.exercise_ids();
    const bool was_one = workspace::shape_of(folder, ids) != workspace::Shape::none;
    const std::vector<model::Problem>& problems = context.curriculum().problems;

    const workspace::Names names{folder, context.layout().emulator, context.call().word_in(folder),
                                 context.call().program()};
    std::vector<workspace::File> files = workspace::exercises(context.layout(), problems);
    for (const auto& more :
         {workspace::editor_files(names), workspace::words(names), workspace::generated(names)})
        files.insert(files.end(), more.begin(), more.end());
    const workspace::Completed done = workspace::complete(folder, files, ids);

    if (was_one) {
        if (done.damaged) std::cout << ".engine/workspace.json: was damaged, and is written anew\n";
        say_each(context, done.added, "was missing");
        say_each(context, done.renewed, "brought up to date");
        if (done.added.empty() && done.renewed.empty() && !done.damaged)
            std::cout << context.fitted(fmt::format("{} lacks nothing\n", folder.string()));
    } else {
        std::cout << context.fitted(fmt::format("{} is your workspace, with {} exercises. Next:\n",
                                                folder.string(), problems.size()));
        std::cout << fmt::format("  {}{}\n", go_there(context.here(), typed, folder), names.engine);
    }
    return ExitCode::accepted;
}

} // namespace app
