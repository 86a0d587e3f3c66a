#include "app/commands.h"

#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

std::string bullets(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items)
        text += "- " + item + "\n";
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
        text += fmt::format("- {} ({} point{}{})\n", test.name, test.points, test.points == 1 ? "" : "s",
                            test.visibility == model::Visibility::hidden ? ", hidden" : "");
    text += "\n## Read more\n\n";
    for (const model::Resource& resource : problem.resources)
        text += fmt::format("- [{}]({}): {}\n", resource.title, resource.url, resource.why);
    text += "\n## Your file\n\n";
    for (const std::string& name : problem.files)
        text += fmt::format("- `{}`\n", context.shown(context.learner_file(problem, name)));
    text += fmt::format("\nThe signatures are in `{}`. Try your code with `engine test {}`.\n",
                        context.shown(context.learner_file(problem, "contract.h")), problem.id);
    return text;
}

} // namespace

ExitCode run_show(Context& context) {
    std::cout << context.render_markdown(page(context, context.problem()));
    return ExitCode::accepted;
}

} // namespace app
