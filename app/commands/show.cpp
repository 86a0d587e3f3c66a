#include "app/commands.h"

#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <optional>

namespace app {
namespace {

std::string bullets(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items)
        text += "- " + item + "\n";
    return text;
}

/// What a submission may use, in one sentence.
std::string limits_text(const model::Limits& limits) {
    const double seconds = std::chrono::duration<double>(limits.wall).count();
    return fmt::format("One call may take {} s. Your program may use {} s of CPU time in a test, {} MiB of "
                       "memory and {} threads, and print {} KiB.\n",
                       seconds, limits.cpu.count(), limits.memory_mib, limits.threads, limits.output_kib);
}

/// What a test demands of the memory traffic of its kernels, or nothing.
std::string traffic_text(const std::optional<model::TrafficLimits>& traffic) {
    std::string text;
    if (!traffic) return text;
    if (traffic->moved_at_most)
        text += fmt::format("; moves at most {} times the bytes that it needs", *traffic->moved_at_most);
    if (traffic->coalescing_at_least)
        text += fmt::format("; at least {} % of the bytes moved are asked for",
                            100 * *traffic->coalescing_at_least);
    if (traffic->bank_conflicts_at_most)
        text += fmt::format("; at most {} bank conflicts", *traffic->bank_conflicts_at_most);
    return text;
}

/// Statement and manifest as one Markdown page.
std::string page(const Context& context, const model::Problem& problem) {
    std::string text = problem.statement;
    text += fmt::format("\n\n---\n\n**{}**, difficulty {} of 5, about {} minutes\n\n", problem.id,
                        problem.difficulty, problem.minutes);
    text += "## What you will be able to do\n\n" + bullets(problem.objectives);
    text += "\n## Words to know\n\n" + bullets(problem.concepts);
    text += "\n## Tests\n\n";
    for (const model::TestSpec& test : problem.tests)
        text += fmt::format("- {} ({} point{}{}{})\n", test.name, test.points, test.points == 1 ? "" : "s",
                            test.visibility == model::Visibility::hidden ? ", hidden" : "",
                            traffic_text(test.traffic));
    text += "\n## Limits\n\n" + limits_text(problem.limits);
    text += "\n## Read more\n\n";
    for (const model::Resource& resource : problem.resources)
        text += fmt::format("- [{}]({}): {}\n", resource.title, resource.url, resource.why);
    text += "\n## Your file\n\n";
    for (const std::string& name : problem.files)
        text += fmt::format("- `{}`\n", context.shown_file(problem, name));
    text += fmt::format("\nThe signatures are in `{}`. Try your code with `{}`.\n",
                        context.shown_file(problem, "contract.h"), context.call()("test " + problem.id));
    return text;
}

} // namespace

ExitCode run_show(Context& context) {
    std::cout << context.render_markdown(page(context, context.problem()));
    return ExitCode::accepted;
}

} // namespace app
