#pragma once

#include "app/verify/mutate.h"
#include "build/scratch.h"
#include "build/workshop.h"
#include "model/problem.h"
#include "system/fd.h"

#include <optional>
#include <string>
#include <vector>

namespace verify {

/// A mutant of one file of a problem's reference.
struct Candidate {
    std::size_t file = 0; ///< index into the problem's files
    Mutant mutant;
};

/// The mutants of all files, in order.
std::vector<Candidate> candidates(const std::vector<std::string>& sources);

/// A worker program that holds many mutants; the worker's argument chooses one by its number in the list of
/// candidates. `unchanged` chooses the reference as it is.
struct MutantProgram {
    sys::Fd fd;
    std::vector<std::size_t> compiled; ///< which candidates are in it; the others do not compile
};

inline constexpr const char* unchanged = "unchanged";

/// Compiles candidates `which` side by side in one file, which is far cheaper than one file each, and leaves
/// out those that do not compile. Nothing where an error cannot be laid on any of them. Throws
/// model::EnvironmentError, model::ContentError where the reference itself does not compile, and
/// judge::Interrupted.
std::optional<MutantProgram> build_mutants(const build::Workshop& workshop, const model::Problem& problem,
                                           const std::vector<std::string>& sources,
                                           const std::vector<Candidate>& all, std::vector<std::size_t> which,
                                           int cancel_fd);

} // namespace verify
