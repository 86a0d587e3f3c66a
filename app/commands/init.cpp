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

void say_renewed(const Context& context, const workspace::Completed& done) {
    for (const fs::path& file : done.renewed)
        std::cout << context.fitted(fmt::format("{}: brought up to date\n", file.string()));
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
    for (const auto& more : {workspace::editor_files(names), workspace::words(names)})
        files.insert(files.end(), more.begin(), more.end());
    const workspace::Completed done = workspace::complete(folder, files, ids);

    if (was_one) {
        for (const fs::path& file : done.added)
            std::cout << file.string() << ": was missing\n";
        say_renewed(context, done);
        if (done.added.empty() && done.renewed.empty())
            std::cout << context.fitted(fmt::format("{} lacks nothing\n", folder.string()));
    } else {
        std::cout << context.fitted(fmt::format("{} is your workspace, with {} exercises. Next:\n",
                                                folder.string(), problems.size()));
        std::cout << fmt::format("  {}{}\n", go_there(context.here(), typed, folder), names.engine);
    }
    return ExitCode::accepted;
}

} // namespace app
