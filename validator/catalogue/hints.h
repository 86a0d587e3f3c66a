#pragma once

#include <vector>

#include "catalogue/source.h"
#include "model/problem.h"

namespace catalogue {

/// The ladder of hints.md: "## Nudge", "## Idea", "## Steps", "## Worked numbers", in this order and none
/// empty. Only a "# " title may stand before them. Throws model::ContentError with the line.
std::vector<model::Hint> read_hints(const Source&);

} // namespace catalogue
