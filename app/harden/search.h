#pragma once

#include "app/harden/slips.h"
#include "build/workshop.h"
#include "kit/kit.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <chrono>
#include <cstdint>
#include <future>
#include <optional>
#include <set>
#include <string>

/// Planting a bug in a right program: slips go through the judge until one is wrong in a way that is worth
/// looking for.
namespace harden {

/// What a bug is planted with.
struct Ground {
    const build::Workshop& workshop;
    const model::Problem& problem;
    const kit::Kit& kit;
    std::shared_future<model::Isolation> isolation;
    int cancel_fd = -1;
};

struct Planted {
    Slip slip;
    std::string program;
    std::string symptom;
};

struct Search {
    std::optional<Planted> planted;
    bool right = true; ///< the program as it was passes the visible tests
};

/// The first test of a problem that a learner sees: the statement's worked example.
const model::TestSpec& example(const model::Problem& problem);

/// What a judged program shows to its user, where it is worth handing out: it compiles with no more than
/// `warnings` warnings, passes the worked example, fails another visible test with a wrong answer, and comes
/// to its end. Nothing where it is not.
std::optional<std::string> worth_repairing(const model::Problem& problem, const model::Judgement& judgement,
                                           std::size_t warnings);

/// Plants a bug in `program`, such that none of `avoided` comes out. The seed decides where: each place of
/// the program comes once before one comes again. No further slip is tried after `time`, where that is given.
/// Throws what judging does.
Search plant(const Ground& ground, const std::string& program, const std::set<std::string>& avoided,
             std::uint64_t seed, std::optional<std::chrono::milliseconds> time);

} // namespace harden
