#pragma once

#include "model/question.h"

#include <cstdint>
#include <string>

namespace questions {

/// The drawn question as the learner sees it, as Markdown, without anything that tells the answer. `number`
/// counts from 1 to `count`.
std::string as_markdown(const model::Question& drawn, std::size_t number, std::size_t count);

/// How an answer to it is given on paper or at a prompt, as a sentence.
std::string how_to_answer(const model::Question& question);

} // namespace questions
