#include "app/commands.h"
#include "app/open_questions.h"
#include "model/errors.h"
#include "terminal/look.h"

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

/// One problem: in columns if there is room for what it is about, else that below its id.
std::string row(const model::Problem& problem, const std::string& mark, const std::string& state,
                std::size_t id_width, int width) {
    const std::string columns =
        fmt::format("{}  {:<{}}  {:>3} min  {:<8}  ", mark, problem.id, id_width, problem.minutes, state);
    constexpr int least_about = 20;
    const auto indent = static_cast<int>(columns.size());
    if (indent + least_about <= width) return columns + terminal::hanging(problem.about, width, indent);
    const std::string below =
        fmt::format("{} ({} min{}{})", problem.about, problem.minutes, state.empty() ? "" : ", ", state);
    const auto id_at = static_cast<int>(mark.size()) + 2;
    return fmt::format("{}  {}\n{:{}}{}", mark, problem.id, "", id_at,
                       terminal::hanging(below, width, id_at));
}

/// "the embedding layer" of "I the embedding layer": parts are counted as they come.
std::string part_title(const std::string& part) {
    const std::size_t blank = part.find(' ');
    const bool numbered = blank != std::string::npos && part.find_first_not_of("IVX") == blank;
    return numbered ? part.substr(blank + 1) : part;
}

/// The course may be begun at its kernels.
std::string cuda_line(const Context& context, const store::Store* store) {
    const auto& problems = context.curriculum().problems;
    const auto kernel = std::ranges::find(problems, model::Language::cuda, &model::Problem::language);
    if (kernel == problems.end() || (store != nullptr && store->progress(kernel->id).attempts > 0)) return "";
    return fmt::format("If you are here for CUDA, begin with: {}\n", context.call()("select " + kernel->id));
}

} // namespace

ExitCode run_list(Context& context) {
    const model::Curriculum& curriculum = context.curriculum();
    const store::Store* store = nullptr;
    std::optional<std::string> current;
    try {
        store = context.progress();
        current = context.current_id();
    } catch (const model::EnvironmentError& error) {
        context.warn(error.what()); // the curriculum is there all the same
    }
    std::size_t width = 0;
    for (const model::Problem& problem : curriculum.problems)
        width = std::max(width, problem.id.size());

    std::string part;
    int number = 0, parts = 0;
    for (const model::Problem& problem : curriculum.problems) {
        if (problem.part != part) {
            std::cout << (part.empty() ? "" : "\n")
                      << fmt::format("Part {}, {}\n", ++parts, part_title(problem.part));
            part = problem.part;
        }
        const std::string state =
            state_words(store == nullptr ? store::Progress{} : store->progress(problem.id));
        const std::string mark = fmt::format("{} {:>2}", current == problem.id ? ">" : " ", ++number);
        std::cout << row(problem, mark, state, width, context.out().width) << "\n";
    }
    const std::string more =
        (store == nullptr ? "" : open_questions_line(context)) + cuda_line(context, store);
    if (!more.empty()) std::cout << "\n" << context.fitted(more);
    return ExitCode::accepted;
}

} // namespace app
