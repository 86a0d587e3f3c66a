#include "app/commands.h"
#include "app/open_questions.h"

#include "report/words.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <set>

namespace app {
namespace {

using store::Stage;

std::optional<std::time_t> time_of(const std::string& utc) {
    std::tm parts{};
    if (strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr) return std::nullopt;
    return timegm(&parts);
}

/// Minutes of work: the times between attempts, where they are no pauses.
long minutes_of(const std::vector<store::Attempt>& attempts) {
    constexpr std::time_t pause = 30 * 60;
    std::time_t seconds = 0;
    for (std::size_t i = 0; i + 1 < attempts.size(); ++i) {
        const auto later = time_of(attempts[i].started), earlier = time_of(attempts[i + 1].started);
        if (later && earlier && *later - *earlier < pause)
            seconds += std::max<std::time_t>(*later - *earlier, 0);
    }
    return static_cast<long>(seconds / 60);
}

std::string problem_line(const store::Store& store, const store::Progress& progress) {
    constexpr std::size_t enough = 1000;
    const std::string score =
        progress.max_points == 0
            ? "not handed in"
            : fmt::format("best {} of {} points", progress.best_points, progress.max_points);
    const long minutes = minutes_of(store.attempts(progress.problem, enough));
    return fmt::format("  {}: {}{}, {}, {}{}\n", progress.problem, progress.accepted ? "accepted, " : "",
                       score, report::count(progress.attempts, "attempt"),
                       report::count(static_cast<std::size_t>(progress.hints_used), "hint"),
                       minutes > 0 ? ", " + report::count(static_cast<std::size_t>(minutes), "minute") : "");
}

std::string bar(const terminal::Capabilities& out, std::size_t done, std::size_t all) {
    if (out.plain || all == 0) return "";
    return report::bar(done, all, 20, out.unicode) + " ";
}

/// The concepts of the problems that reached a stage and no later one.
struct Concepts {
    Stage stage;
    const char* says;
    std::set<std::string> names{};
};

/// Each concept once, under the furthest stage that it was met in.
std::string concept_lines(const Context& context, const store::Store& store) {
    std::array<Concepts, 3> rows{
        {{Stage::harden, "hardened"}, {Stage::justify, "justified"}, {Stage::build, "built"}}};
    std::set<std::string> all, further;
    for (Concepts& row : rows) {
        for (const model::Problem& problem : context.curriculum().problems) {
            all.insert(problem.concepts.begin(), problem.concepts.end());
            const auto stages = store.stages(problem.id);
            if (std::ranges::find(stages, row.stage) != stages.end())
                for (const std::string& name : problem.concepts)
                    if (!further.contains(name)) row.names.insert(name);
        }
        further.insert(row.names.begin(), row.names.end());
    }
    std::string text;
    for (const Concepts& row : rows)
        if (!row.names.empty()) text += fmt::format("  {}: {}\n", row.says, fmt::join(row.names, ", "));
    return text.empty() ? "" : fmt::format("\nConcepts, {} of {}:\n", further.size(), all.size()) + text;
}

} // namespace

ExitCode run_status(Context& context) {
    const std::vector<model::Problem>& problems = context.curriculum().problems;
    const store::Store* store = context.progress();
    std::size_t accepted = 0;
    std::string rows;
    for (const model::Problem& problem : problems) {
        store::Progress progress = store == nullptr ? store::Progress{} : store->progress(problem.id);
        progress.problem = problem.id;
        if (progress.accepted) ++accepted;
        if (progress.attempts > 0 || progress.hints_used > 0) rows += problem_line(*store, progress);
    }
    std::string text = fmt::format("{}{} of {} problems accepted\n",
                                   bar(context.out(), accepted, problems.size()), accepted, problems.size()) +
                       rows;
    if (store != nullptr) text += concept_lines(context, *store);
    if (const std::string questions = open_questions_line(context); !questions.empty())
        text += "\n" + questions;
    if (const auto current = context.current_id())
        text += fmt::format("{}You are at {}. Next: {}\n", rows.empty() ? "" : "\n", *current,
                            context.call()(context.is_accepted(*current) ? "next" : "test"));
    std::cout << context.fitted(text);
    return ExitCode::accepted;
}

} // namespace app
