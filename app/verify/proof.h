#pragma once

#include "app/verify/hunt.h"
#include "build/workshop.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Proving that a problem is sound: what its files claim about themselves is held against judgements of them.
namespace verify {

/// One file of the package, judged as a submission.
struct Trial {
    enum class Role { starter, reference, accepted, mistake };
    Role role = Role::accepted;
    std::string name;
    const model::Mistake* mistake = nullptr;
    model::Judgement judgement;
    std::vector<std::string> gaps; ///< how the judgement differs from what the package claims; empty: proven
};

/// All that was found out about one problem.
struct Proof {
    model::Problem problem;
    std::vector<Trial> trials;
    std::vector<std::string> missing; ///< parts that a whole package has
    std::optional<Hunt> hunt;         ///< nothing where mutants are not asked for
    std::vector<HuntPart> hunt_parts;

    bool sound() const;
};

/// Which files of a package are to be judged, and which mutants of its reference are to be hunted.
/// Throws model::ContentError.
Proof plan_proof(model::Problem problem, bool mutants, const std::filesystem::path& schemas);

/// Judges one file, graded, and fills in its gaps.
void run_trial(const build::Workshop& workshop, const model::Problem& problem, Trial& trial,
               std::uint64_t seed, int cancel_fd);

/// The proof as text: a line for each file, the kill matrix, the gaps.
std::string render(const Proof& proof);

} // namespace verify
