#pragma once

#include "model/problem.h"

#include <string>
#include <vector>

namespace verify {

/// What a package lacks to be a whole one, each with the file concerned: the numbers of docs/authoring.md.
/// What the catalogue refuses to read is not checked again.
std::vector<std::string> missing_parts(const model::Problem& problem);

} // namespace verify
