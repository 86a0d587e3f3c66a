#pragma once

#include "app/teaching/class_judge.h"
#include "app/teaching/executor.h"
#include "catalogue/schema.h"
#include "coursework/assignment.h"
#include "gradebook/grade.h"
#include "gradebook/gradebook.h"
#include "terminal/progress.h"

#include <string>
#include <utility>
#include <vector>

namespace teaching {

/// What has to run so that each of some works has its judgement.
struct Runs {
    std::vector<Piece> pieces;
    std::vector<std::pair<gradebook::WorkId, gradebook::Id>>
        known; ///< works whose judgement there is already
};

/// The seed that a student's submissions are judged with.
std::uint64_t seed_for(const std::string& student, const coursework::Assignment& assignment,
                       std::uint64_t drawn);

/// Works with the same files, seed, depth and package share one piece.
Runs plan_runs(const std::vector<gradebook::Needed>& works, const coursework::Assignment& assignment,
               std::uint64_t drawn, const ClassJudge& judge, const gradebook::Gradebook& book);

/// What became of the pieces of a run.
struct Ran {
    std::vector<std::pair<const Piece*, gradebook::Id>> judged;
    std::vector<std::pair<const Piece*, NotJudged>> failed; ///< twice
};

/// Runs the pieces, which have to outlive what is returned, and keeps each judgement at once. What could not
/// be judged is tried once more when all others are done. With `give`, works get their judgements as they
/// come.
Ran run_pieces(Executor& executor, gradebook::Gradebook& book, const ClassJudge& judge,
               const std::vector<Piece>& pieces, bool give, const catalogue::Schema& reports,
               terminal::Progress& progress, bool is_terminal);

} // namespace teaching
