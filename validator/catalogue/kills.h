#pragma once

#include <string>

#include "catalogue/document.h"
#include "catalogue/faults.h"
#include "model/problem.h"

namespace catalogue {

/// Fills in which tests fail for each mistake of a problem, from a kills.json that its schema has accepted.
/// Mistakes that it does not have stay as they are. Throws model::ContentError for one that is not there, for
/// names that are no tests, and for a test that a mistake has twice; where `faults` are given, that is listed
/// there, and the name left out.
void read_kills(const Document& kills, model::Problem& problem, Faults* faults = nullptr);

/// The same for its witnesses, which `read_kills` does not look at.
void read_witness_kills(const Document& kills, model::Problem& problem, Faults* faults = nullptr);

/// The kills.json that says what the problem's mistakes do: a line a mistake, tests in the order of the
/// manifest.
std::string write_kills(const model::Problem& problem);

} // namespace catalogue
