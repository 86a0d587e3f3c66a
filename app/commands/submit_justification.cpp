#include "app/commands.h"
#include "app/interrupts.h"
#include "app/justifying.h"
#include "app/newest.h"
#include "asking/answers_file.h"
#include "model/errors.h"
#include "questions/ask.h"
#include "questions/draw.h"
#include "questions/marking.h"
#include "report/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

/// The attempt with the seed that was given, or the newest accepted one.
Asked find_questions(const Context& context) {
    const store::Store* const store = context.progress();
    const model::Problem problem = context.problem(named_or_newest_accepted(context));
    const auto attempt = store == nullptr ? std::nullopt : store->accepted_attempt(problem.id);
    const auto seed = context.options().seed;
    if (!attempt && !seed)
        throw model::UsageError("the questions of " + problem.id + " come once your build is accepted: " +
                                context.call()("submit-build " + problem.id));
    const std::uint64_t chosen = seed.value_or(attempt ? attempt->seed : 0);
    const bool recorded = attempt && attempt->seed == chosen;
    return {problem.id, recorded ? attempt->number : 0, chosen, questions::drawn(problem.questions, chosen)};
}

void print_questions(const Context& context, const Asked& asked) {
    std::cout << context.fitted(fmt::format("{}, questions of seed {}\n", asked.problem, asked.seed));
    for (std::size_t i = 0; i < asked.drawn.size(); ++i)
        std::cout << "\n"
                  << context.render_markdown(
                         questions::as_markdown(asked.drawn[i], i + 1, asked.drawn.size()));
}

/// Each answer with its mark, in the order of the questions, and then how all of them stand.
ExitCode mark_file(const Context& context, const Asked& asked) {
    const auto answers =
        asking::read_answers(context.options().answers, {asked.problem, asked.seed, asked.drawn});
    model::Justification standing = standing_of(context, asked);
    std::string text;
    for (std::size_t i = 0; i < asked.drawn.size(); ++i) {
        const auto answer = answers.find(asked.drawn[i].id);
        model::QuestionStanding& place = standing.questions[i];
        if (answer != answers.end()) {
            const questions::Mark mark = questions::mark(asked.drawn[i], answer->second);
            place.standing = *mark.standing;
            ++place.tries;
            keep_answer(context, asked, place.question, answer->second, place.standing);
            const std::string says = place.standing == model::Standing::wrong ? ": " + mark.says : "";
            text += fmt::format("{} {}{}\n", name(place.standing), place.question, says);
        } else {
            text += fmt::format("{} {}\n", name(place.standing), place.question);
        }
    }
    std::cout << context.fitted(text + "\n" + report::sentence(standing) + "\n" +
                                (standing.complete() ? after_the_questions(context, asked) : ""));
    if (asked.attempt == 0)
        context.warn("these marks are not kept: none of your accepted attempts has the seed " +
                     std::to_string(asked.seed));
    return standing.complete() ? ExitCode::accepted : ExitCode::not_accepted;
}

} // namespace

ExitCode run_submit_justification(Context& context) {
    const Asked asked = find_questions(context);
    if (context.options().print) {
        print_questions(context, asked);
        return ExitCode::accepted;
    }
    if (!context.options().answers.empty()) return mark_file(context, asked);
    model::Justification standing = standing_of(context, asked);
    if (standing.complete()) {
        std::cout << context.fitted(report::sentence(standing) + " Nothing is left to answer.\n" +
                                    after_the_questions(context, asked));
        return ExitCode::accepted;
    }
    if (!may_ask(context))
        throw model::UsageError("questions are asked on a terminal; elsewhere give a file of answers: " +
                                context.call()("submit-justification " + asked.problem + " --answers FILE"));
    const Interrupts interrupts;
    if (!ask(context, asked, standing, interrupts.fd())) return ExitCode::interrupted;
    return standing.complete() ? ExitCode::accepted : ExitCode::not_accepted;
}

} // namespace app
