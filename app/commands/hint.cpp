#include "app/commands.h"

#include "model/errors.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

/// The number that a word is, or 0.
int number_of(const std::string& word) {
    int number = 0;
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, number);
    return error == std::errc() && stopped == end && number > 0 ? number : 0;
}

/// `hint 2` is the second hint, of the problem the learner is at; a problem's number needs the hint's too.
struct Wanted {
    model::Problem problem;
    int rung = 0; ///< 0: the next one
};

Wanted what_is_wanted(const Context& context) {
    const std::vector<std::string>& words = context.options().hint;
    if (words.empty()) return {context.problem(), 0};
    if (words.size() == 1 && number_of(words[0]) > 0) return {context.problem(), number_of(words[0])};
    const model::Problem problem = context.problem(words[0]);
    if (words.size() == 1) return {problem, 0};
    if (number_of(words[1]) == 0)
        throw model::UsageError("a hint has a number from 1 up, not '" + words[1] + "'");
    return {problem, number_of(words[1])};
}

std::string page(const model::Problem& problem, int rung) {
    const model::Hint& hint = problem.hints.at(static_cast<std::size_t>(rung - 1));
    return fmt::format("**{}, hint {} of {}: {}**\n\n{}\n\n", problem.id, rung, problem.hints.size(),
                       hint.title, hint.text);
}

/// Those that were seen before, again.
ExitCode show_seen(const Context& context, const model::Problem& problem, int seen) {
    std::string text;
    for (int rung = 1; rung <= seen; ++rung)
        text += page(problem, rung);
    if (seen == 0)
        std::cout << context.fitted("You have not seen a hint of " + problem.id +
                                    " yet; the first: " + context.call()("hint " + problem.id) + "\n");
    else
        std::cout << context.render_markdown(text);
    return ExitCode::accepted;
}

} // namespace

ExitCode run_hint(Context& context) {
    const auto [problem, wanted] = what_is_wanted(context);
    store::Store* store = context.progress();
    const int rungs = static_cast<int>(problem.hints.size());
    const int seen = std::min(store == nullptr ? 0 : store->progress(problem.id).hints_used, rungs);
    if (context.options().all) return show_seen(context, problem, seen);
    if (wanted > rungs)
        throw model::UsageError(
            fmt::format("{} has {} hints, so there is no number {}", problem.id, rungs, wanted));
    if (wanted > seen + 1)
        throw model::UsageError(fmt::format("hints come one after another; the next one is number {}: {}",
                                            seen + 1, context.call()("hint " + problem.id)));
    const int rung = wanted > 0 ? wanted : std::min(seen + 1, rungs);
    std::cout << context.render_markdown(page(problem, rung));
    std::cout << context.fitted(
        rung < rungs
            ? "\nStill stuck? The next hint: " +
                  context.call()(fmt::format("hint {} {}", problem.id, rung + 1)) + "\n"
            : "\nThis is the last hint; " + context.call()("show " + problem.id) + " has the whole task.\n");
    if (store != nullptr) {
        try {
            store->record_hint(problem.id, rung);
        } catch (const model::EnvironmentError& error) {
            context.warn(std::string("the next hint will be this one again: ") + error.what());
        }
    }
    return ExitCode::accepted;
}

} // namespace app
