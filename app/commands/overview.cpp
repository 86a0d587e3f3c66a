#include "app/commands.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace app {

ExitCode run_overview(Context& context) {
    if (!context.workspace()) {
        std::cout << context.fitted(
            fmt::format("You are in no workspace yet. Next: make one with   {}\nand go on in that folder\n",
                        context.call()("init DIR")));
        return ExitCode::accepted;
    }
    const auto& problems = context.curriculum().problems;
    const std::optional<std::string> id = context.current_id();
    if (!id) {
        std::cout << context.fitted(
            fmt::format("All {} problems are solved. Well done.\nRead a reference: {}\n", problems.size(),
                        context.call()("solution ID")));
        return ExitCode::accepted;
    }
    const auto problem = std::ranges::find(problems, *id, &model::Problem::id);
    const store::Store* store = context.progress();
    const store::Progress progress = store == nullptr ? store::Progress{} : store->progress(*id);
    std::string text =
        fmt::format("Problem {} of {}: {} ({}), about {} minutes\n", problem - problems.begin() + 1,
                    problems.size(), problem->title, problem->id, problem->minutes);
    const std::string file = context.shown_file(*problem, problem->files.front());
    if (progress.attempts == 0)
        text += fmt::format("Not tried yet. Next: read the task with   {}\nthen write your code in   {}\n",
                            context.call()("show"), file);
    else
        text +=
            fmt::format("Tried {} time{}. Next: go on in   {}\nand test it with   {}\n", progress.attempts,
                        progress.attempts == 1 ? "" : "s", file, context.call()("test"));
    std::cout << context.fitted(text);
    return ExitCode::accepted;
}

} // namespace app
