#pragma once

#include "app/verify/proof.h"

#include <cstdint>
#include <string>
#include <vector>

/// Witnesses: wrong programs that the suite must refuse, and that learners never hear of.
namespace verify {

/// With so many seeds a test must refuse a witness before kills.json names it.
inline constexpr std::uint32_t witness_seeds = 3;

/// How a judgement, of all tests or of those that kills.json names, contradicts what is said of a witness.
std::vector<std::string> witness_gaps(const model::Witness& witness, const model::Judgement& judgement);

/// Judges a witness at its depth: in the tests that kills.json names, or in all if it names none, or if these
/// let it pass. If the proof is thorough, a witness that needs a thorough run must also pass a graded one.
void try_witness(const build::Workshop& workshop, const Proof& proof, Trial& trial, int cancel_fd);

/// The tests that refuse a witness, at its depth, with each of `witness_seeds` seeds from `first` on.
std::vector<std::string> tests_that_refuse(const build::Workshop& workshop, const Proof& proof,
                                           const model::Witness& witness, std::uint64_t first, int cancel_fd);

} // namespace verify
