#pragma once

#include "app/jobs.h"
#include "app/options.h"
#include "app/verify/proof.h"
#include "build/workshop.h"

#include <cstdint>
#include <vector>

namespace app {

/// What the stages of `verify` share.
struct Work {
    const build::Workshop& workshop;
    std::vector<verify::Proof>& proofs;
    std::uint64_t seed = 0;
    int cancel_fd = -1;
    Spent spent;
};

// What `verify` has to do with kills.json, besides checking it.

/// The seed that mistakes are tried with: the one that was asked for, else the first that their kills.json
/// was made from, else `fresh`.
std::uint64_t mistakes_seed(const Options& options, const model::Problem& problem, std::uint64_t fresh);

/// --accept: measures which tests fail for which mistake, of all mistakes or of those that kills.json does
/// not know, and writes kills.json.
void measure(Work& work, bool only_new, terminal::Progress& progress);

/// --accept: measures which tests refuse which witness, of all or of those that kills.json does not know, and
/// writes kills.json.
void measure_witnesses(Work& work, bool only_new, terminal::Progress& progress);

/// --seeds: looks for seeds that contradict kills.json, and for one with which the reference or an accepted
/// variant is not accepted.
void try_seeds(const Options& options, Work& work, terminal::Progress& progress);

/// --accept: moves the pairs that were contradicted, writes kills.json, and judges by it the mistakes that
/// were not what the package claims.
void accept(Work& work, terminal::Progress& progress);

} // namespace app
