#include "app/commands.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace app {

ExitCode run_hint(Context& context) {
    const model::Problem problem = context.problem();
    store::Store* store = context.progress();
    const int used = store == nullptr ? 0 : store->progress(problem.id).hints_used;
    const int rungs = static_cast<int>(problem.hints.size());
    const int rung = std::min(used + 1, rungs);
    const model::Hint& hint = problem.hints.at(static_cast<std::size_t>(rung - 1));

    std::cout << context.render_markdown(
        fmt::format("**{}, hint {} of {}: {}**\n\n{}\n", problem.id, rung, rungs, hint.title, hint.text));
    std::cout << context.fitted(rung < rungs
                                    ? std::string("\nStill stuck? The same command shows the next hint.\n")
                                    : "\nThis is the last hint; " + context.call()("show " + problem.id) +
                                          " has the whole task.\n");
    if (store != nullptr) {
        try {
            store->record_hint(problem.id, rung);
        } catch (const store::Unwritable& error) {
            context.warn(std::string("the next hint will be this one again: ") + error.what());
        }
    }
    return ExitCode::accepted;
}

} // namespace app
