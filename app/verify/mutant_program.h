#pragma once

#include "app/verify/book.h"
#include "build/cache.h"
#include "build/workshop.h"
#include "model/problem.h"

#include <optional>
#include <string>
#include <vector>

namespace verify {

/// A worker program that holds many mutants; the worker's argument chooses one by its number in the list of
/// candidates. `unchanged` chooses the reference as it is.
struct MutantProgram {
    build::CachedWorker worker;
    std::vector<std::size_t> compiled; ///< which candidates are in it; the others do not compile
};

/// Compiles candidates `which` side by side in one file, which is far cheaper than one file each, and leaves
/// out those that do not compile; or finds the program in the cache. Nothing where an error cannot be laid on
/// any of them. Throws model::EnvironmentError, model::ContentError where the reference itself does not
/// compile, and judge::Interrupted.
std::optional<MutantProgram> build_mutants(const build::Workshop& workshop, const model::Problem& problem,
                                           const std::vector<std::string>& sources,
                                           const std::vector<Candidate>& all, std::vector<std::size_t> which,
                                           int cancel_fd);

} // namespace verify
