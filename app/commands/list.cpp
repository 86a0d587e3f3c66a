#include "app/commands.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

std::string state_words(const store::Progress& progress) {
    if (progress.accepted) return "accepted";
    if (progress.attempts > 0) return "begun";
    return "";
}

} // namespace

ExitCode run_list(Context& context) {
    const model::Curriculum& curriculum = context.curriculum();
    const store::Store* store = context.progress();
    const auto current = context.current_id();
    std::size_t width = 0;
    for (const model::Problem& problem : curriculum.problems)
        width = std::max(width, problem.id.size());

    std::string part;
    int number = 0;
    for (const model::Problem& problem : curriculum.problems) {
        if (problem.part != part) {
            std::cout << (part.empty() ? "" : "\n") << "Part " << problem.part << "\n";
            part = problem.part;
        }
        const std::string state =
            state_words(store == nullptr ? store::Progress{} : store->progress(problem.id));
        const std::string line =
            fmt::format("{} {:>2}  {:<{}}  {:>3} min  {:<8}  {}", current == problem.id ? ">" : " ", ++number,
                        problem.id, width, problem.minutes, state, problem.title);
        const auto end = line.find_last_not_of(' ');
        std::cout << line.substr(0, end + 1) << "\n";
    }
    return ExitCode::accepted;
}

} // namespace app
