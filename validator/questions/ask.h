#pragma once

#include "model/problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace questions {

/// Which option stands at which letter: element 0 is the index of the option shown as a). The same seed and
/// question give the same order on every machine; so marking must be given the seed that the question was
/// shown with.
std::vector<std::size_t> option_order(const model::Question& question, std::uint64_t seed);

/// The question as the learner sees it, as Markdown, without anything that tells the answer. `number` counts
/// from 1.
std::string as_markdown(const model::Question& question, std::size_t number, std::uint64_t seed);

} // namespace questions
