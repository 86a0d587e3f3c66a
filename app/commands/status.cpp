#include "app/commands.h"

#include <fmt/format.h>
#include <iostream>

namespace app {

ExitCode run_status(Context& context) {
    const model::Curriculum& curriculum = context.curriculum();
    const store::Store* store = context.progress();
    std::size_t accepted = 0;
    std::string rows;
    for (const model::Problem& problem : curriculum.problems) {
        const store::Progress progress = store == nullptr ? store::Progress{} : store->progress(problem.id);
        if (progress.accepted) ++accepted;
        if (progress.attempts == 0 && progress.hints_used == 0) continue;
        const std::string score =
            progress.max_points == 0
                ? "not handed in"
                : fmt::format("best {} of {} points", progress.best_points, progress.max_points);
        rows += fmt::format("  {}: {}{}, {} attempt{}, {} hint{}\n", problem.id,
                            progress.accepted ? "accepted, " : "", score, progress.attempts,
                            progress.attempts == 1 ? "" : "s", progress.hints_used,
                            progress.hints_used == 1 ? "" : "s");
    }
    std::string text =
        fmt::format("{} of {} problems accepted\n", accepted, curriculum.problems.size()) + rows;
    if (const auto current = context.current_id())
        text += fmt::format("You are at {}. Next: {}\n", *current, context.call()("test"));
    std::cout << context.fitted(text);
    return ExitCode::accepted;
}

} // namespace app
