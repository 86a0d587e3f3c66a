#include "app/justifying.h"

#include "asking/session.h"
#include "asking/terminal.h"
#include "questions/standing.h"
#include "report/words.h"

#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace app {
namespace {

/// The first key that says something. Only Enter takes the offer.
bool accepts(asking::Terminal& terminal) {
    while (true)
        for (const asking::Key& key : terminal.read())
            return key.kind == asking::Key::Kind::enter;
}

std::string closing(const Context& context, const Asked& asked, const model::Justification& standing) {
    std::string text = "\n" + report::sentence(standing) + "\n";
    text += standing.complete()
                ? after_the_questions(context, asked)
                : "Go on with: " + context.call()("submit-justification " + asked.problem) + "\n";
    return context.fitted(text);
}

} // namespace

std::string after_the_questions(const Context& context, const Asked& asked) {
    if (asked.attempt == 0) return {};
    return "Now find a bug in your own program: " + context.call()("harden " + asked.problem) + "\n";
}

bool may_ask(const Context& context) {
    return context.options().questions && context.out().is_terminal && ::isatty(STDIN_FILENO) == 1;
}

void offer_questions(Context& context, const model::Judgement& judgement, int interrupts) {
    const Asked asked{judgement.problem_id, judgement.attempt, judgement.seed, judgement.questions};
    model::Justification standing = standing_of(context, asked);
    std::cout << std::flush;
    {
        // Before the offer: a key that is pressed at once would get lost.
        asking::Terminal terminal(interrupts);
        terminal.write(context.fitted("\nPress Enter to answer the questions now, or any other key to skip "
                                      "them.\n"));
        if (!accepts(terminal)) return;
    }
    ask(context, asked, standing, interrupts);
}

model::Justification standing_of(const Context& context, const Asked& asked) {
    const store::Store* const store = asked.attempt == 0 ? nullptr : context.progress();
    const auto kept = store == nullptr ? model::Justification{asked.attempt, {}}
                                       : store->justification(asked.problem, asked.attempt);
    return questions::justification(asked.drawn, kept);
}

void keep_answer(const Context& context, const Asked& asked, const std::string& question,
                 const model::Answer& answer, model::Standing standing) {
    if (asked.attempt == 0) return;
    try {
        store::Store* const store = context.progress();
        if (store == nullptr) return;
        store->record_answer(asked.problem, asked.attempt, question, answer, standing);
        if (standing_of(context, asked).complete()) store->reach(asked.problem, store::Stage::justify);
    } catch (const model::EnvironmentError& error) {
        context.warn(std::string("this answer was not kept: ") + error.what());
    }
}

bool ask(Context& context, const Asked& asked, model::Justification& standing, int interrupts) {
    asking::Session session(
        asked.drawn, standing,
        {context.out().colour, context.out().width, context.out().unicode, context.out().plain},
        [&](const model::Question& question, const model::Answer& answer, model::Standing mark) {
            keep_answer(context, asked, question.id, answer, mark);
        });
    bool interrupted = false;
    {
        asking::Terminal terminal(interrupts);
        terminal.write(session.begin());
        while (!session.over())
            for (const asking::Key& key : terminal.read()) {
                interrupted = interrupted || key.kind == asking::Key::Kind::interrupt;
                terminal.write(session.press(key));
            }
    }
    standing = session.standing();
    std::cout << closing(context, asked, standing) << std::flush;
    return !interrupted;
}

} // namespace app
