#include "app/commands.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

std::string to_do(const Context& context, const model::Problem& problem, const store::Progress& progress) {
    const std::string file = context.shown_file(problem, problem.files.front());
    if (progress.attempts == 0)
        return fmt::format("Not tried yet. Next: read the task with   {}\nthen write your code in   {}\n",
                           context.call()("show"), file);
    return fmt::format("Tried {} time{}. Next: continue in   {}\nand test it with   {}\n", progress.attempts,
                       progress.attempts == 1 ? "" : "s", file, context.call()("test"));
}

/// What an accepted problem leaves to do: its questions, then the next problem.
std::string afterwards(const Context& context, const model::Problem& problem) {
    const store::Store* store = context.progress();
    const auto stages = store == nullptr ? std::vector<store::Stage>{} : store->stages(problem.id);
    const bool justified = std::ranges::find(stages, store::Stage::justify) != stages.end();
    const auto next = context.next_open(problem.id);
    std::string text = "Accepted.";
    if (!justified)
        text +=
            fmt::format(" Its questions wait:   {}\n", context.call()("submit-justification " + problem.id));
    if (next)
        return text + fmt::format("{}   {}\n", justified ? " Next: continue with" : "Then continue with",
                                  context.call()("next"));
    return text + (justified ? "\n" : "") + "All problems are accepted. Well done.\n";
}

} // namespace

ExitCode run_overview(Context& context) {
    if (!context.workspace()) {
        std::cout << context.fitted(fmt::format(
            "You are not in a workspace yet. Next: make one with   {}\nand continue in that folder\n",
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
    text += progress.accepted ? afterwards(context, *problem) : to_do(context, *problem, progress);
    std::cout << context.fitted(text);
    return ExitCode::accepted;
}

} // namespace app
