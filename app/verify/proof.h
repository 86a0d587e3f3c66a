#pragma once

#include "app/verify/blanks.h"
#include "app/verify/hunt.h"
#include "app/verify/kills.h"
#include "build/cache.h"
#include "build/workshop.h"
#include "catalogue/faults.h"
#include "events/event.h"
#include "kit/kit.h"
#include "model/judgement.h"
#include "model/problem.h"
#include "model/submission.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// Proving that a problem is sound: what its files claim about themselves is compared with judgements of
/// them.
namespace verify {

/// One file of the package, judged as a submission.
struct Trial {
    enum class Role { starter, reference, accepted, mistake, witness };
    Role role = Role::accepted;
    std::string name;
    bool thorough = false; ///< with every call that the suite knows
    const model::Mistake* mistake = nullptr;
    const model::Witness* witness = nullptr;
    model::Judgement judgement;
    std::vector<std::string> gaps; ///< how the judgement differs from what the package claims; empty: proven
    bool whole = false;            ///< judged as a submission, from its source to its mistakes' names
    std::vector<Contradiction> contradictions; ///< of a mistake: what is otherwise than kills.json says
    std::vector<Contradiction> by_other_seeds; ///< the same, where more seeds were asked for
};

/// What a run of the suite with the reference reached.
struct Boundaries {
    std::vector<events::Covered> rows; ///< in which circumstances its calls were made
    std::vector<std::string> unlisted; ///< tests that the manifest does not know
    std::vector<std::string> failed;   ///< tests that refuse the reference in a thorough run
};

/// All that was found out about one problem.
struct Proof {
    model::Problem problem;
    std::vector<Trial> trials;
    catalogue::Faults faults;         ///< of its files, without which it could be loaded
    std::vector<std::string> missing; ///< parts that a whole package has
    std::optional<Hunt> hunt;         ///< nothing where mutants are not asked for
    std::vector<HuntPart> hunt_parts;
    std::optional<Boundaries> boundaries;
    const kit::Kit* kit = nullptr;              ///< what the problem is judged with
    std::optional<build::CachedWorker> checked; ///< the mistakes whose claims need the checked build
    std::uint64_t mistakes_seed = 0;            ///< that mistakes are tried with
    bool thorough = false;                      ///< each mistake goes through the whole suite
    bool witnesses_only = false;                ///< the other files are not judged
    bool accepted = false;                      ///< kills.json says by now what was found
    std::vector<Blank> blanks;                  ///< that its author has not filled in yet

    /// What is wrong with the package as a whole, rather than with one of its files.
    std::vector<std::string> gaps() const;
    bool sound() const;
    /// Whether a contradiction is a gap: kills.json was made with that seed, or with none.
    bool seed_is_known() const;
};

/// Which files of a package are to be judged, and which mutants of its reference are to be hunted.
/// Throws model::ContentError.
Proof plan_proof(model::Problem problem, bool mutants, const std::filesystem::path& schemas);

/// Takes out every trial but those of witnesses, and what was found out about the rest of the package.
void keep_witnesses_only(Proof& proof);

/// The tests that were not passed.
std::set<std::string> failed_tests(const model::Judgement& judgement);

/// The reference, as a submission. Throws model::ContentError.
model::Submission reference_of(const model::Problem& problem);

/// Judges one file as a submission, graded or thoroughly, and fills in its gaps. Needs `proof.kit`, as all
/// that follows. With `only`, the judgement is of these tests alone.
void run_trial(const build::Workshop& workshop, const Proof& proof, Trial& trial, std::uint64_t seed,
               int cancel_fd, const std::vector<std::string>& only = {});

/// The same for a mistake, without compiling anything: in the program that mistakes are named with, by the
/// judged build alone. Unless the proof is thorough, it goes through the tests that it fails, up to their
/// first finding, through the others that are short, and is to be recognised by a few; the reference has
/// to be judged before, whose times say which these are.
void try_mistake(const build::Workshop& workshop, const Proof& proof, Trial& trial, int cancel_fd);

/// Whether what a mistake claims has not been shown by that, or is about the checked build.
bool needs_checking(const Proof& proof, const Trial& trial);

/// Builds `proof.checked` from the mistakes that need it, one at least.
void build_checked(const build::Workshop& workshop, Proof& proof, int cancel_fd);

/// Judges such a mistake once more, in the tests that it names, with the checked build beside the other one.
/// Where that does not show what it claims either, it is judged as a submission, and what a learner would see
/// is what counts.
void check_mistake(const build::Workshop& workshop, const Proof& proof, Trial& trial, int cancel_fd);

/// All that contradicts kills.json, each pair once.
std::vector<Contradiction> contradictions_of(const Proof& proof);

/// The proof as text: a line for each file, the kill matrix, the gaps.
std::string render(const Proof& proof);

} // namespace verify
