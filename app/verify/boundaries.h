#pragma once

#include "app/verify/proof.h"
#include "events/event.h"

#include <string>
#include <vector>

/// Boundary coverage: in which circumstances the calls of a suite are made.
namespace verify {

/// Runs the suite once more with the reference, with every call, and tells what these reached. Throws what
/// judging does.
Boundaries boundaries(const build::Workshop& workshop, const Proof& proof, std::uint64_t seed, int cancel_fd);

/// The circumstances that were neither reached nor left out, and the tests that never run, in words.
std::vector<std::string> boundary_gaps(const Boundaries& boundaries);

/// A line for each function, and one for each circumstance that a suite leaves out.
std::string boundary_table(const std::vector<events::Covered>& rows);

} // namespace verify
