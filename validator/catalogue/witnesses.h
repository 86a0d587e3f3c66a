#pragma once

#include <filesystem>
#include <vector>

#include "catalogue/faults.h"
#include "model/problem.h"

namespace catalogue {

/// The witnesses in `files`, by name, with their programs; which tests refuse them is not said there. A diff
/// may also be made from a witness that is stored whole. Throws model::ContentError naming the file and the
/// line, or lists that in `faults` and leaves the witness out.
std::vector<model::Witness> read_witnesses(const std::vector<std::filesystem::path>& files,
                                           const model::Problem& problem, Faults* faults = nullptr);

} // namespace catalogue
