#pragma once

#include "app/context.h"
#include "model/judgement.h"

namespace app {

/// Whether questions can be asked here: a person is at a terminal, reads the console report there, and did
/// not ask to be left alone.
bool may_ask(const Context& context);

/// After acceptance: offers the questions of this attempt, and asks them if the learner wants that now.
/// However it ends, the judgement stands. `interrupts` becomes readable when a signal asks to stop.
void offer_questions(Context& context, const model::Judgement& judgement, int interrupts);

/// The attempt whose questions are asked: where it is recorded, and the questions as they were drawn for it.
struct Asked {
    std::string problem;
    std::uint64_t attempt = 0; ///< 0: not recorded, so answers are marked and not kept
    std::uint64_t seed = 0;
    std::vector<model::Question> drawn;
};

/// Where to go once the questions of an attempt are done; empty where nothing is recorded to go on from.
std::string after_the_questions(const Context& context, const Asked& asked);

/// How they stand by what is kept.
model::Justification standing_of(const Context& context, const Asked& asked);

/// Keeps an answer; a database that cannot be written costs a warning. Reaches the stage `justify` with the
/// last one.
void keep_answer(const Context& context, const Asked& asked, const std::string& question,
                 const model::Answer& answer, model::Standing standing);

/// Asks one question after the other. False where a signal or Ctrl-C ended it.
bool ask(Context& context, const Asked& asked, model::Justification& standing, int interrupts);

} // namespace app
