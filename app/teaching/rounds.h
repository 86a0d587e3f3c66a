#pragma once

#include "app/teaching/executor.h"
#include "catalogue/schema.h"
#include "gradebook/gradebook.h"
#include "terminal/progress.h"

#include <utility>
#include <vector>

namespace teaching {

/// What became of the pieces of a run.
struct Ran {
    std::vector<std::pair<const Piece*, gradebook::Id>> judged;
    std::vector<std::pair<const Piece*, NotJudged>> failed; ///< twice
};

/// Runs the pieces, which have to outlive what is returned, and keeps each judgement at once. What could not
/// be judged is tried once more when all others are done. With `give`, works get their judgements as they
/// come.
Ran run_pieces(Executor& executor, gradebook::Gradebook& book, const std::vector<Piece>& pieces, bool give,
               const catalogue::Schema& reports, terminal::Progress& progress, bool is_terminal);

} // namespace teaching
