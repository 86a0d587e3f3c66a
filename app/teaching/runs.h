#pragma once

#include "app/teaching/class_judge.h"
#include "app/teaching/executor.h"
#include "coursework/assignment.h"
#include "gradebook/grade.h"
#include "gradebook/gradebook.h"

#include <utility>
#include <vector>

namespace teaching {

/// What has to run so that each of some works has its judgement.
struct Runs {
    std::vector<Piece> pieces;
    std::vector<std::pair<gradebook::WorkId, gradebook::Id>>
        known; ///< works whose judgement there is already
};

/// How a work is judged: with the seed of the class, or with one that the student's id gives. `drawn` is the
/// gradebook's.
Circumstances circumstances_of(const gradebook::Needed& needed, const coursework::Assignment& assignment,
                               std::uint64_t drawn, const ClassJudge& judge);

/// Works with the same files, seed, depth and package share one piece.
Runs plan_runs(const std::vector<gradebook::Needed>& works, const coursework::Assignment& assignment,
               std::uint64_t drawn, const ClassJudge& judge, const gradebook::Gradebook& book);

} // namespace teaching
