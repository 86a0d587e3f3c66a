#pragma once

#include "grading/evidence.h"

#include <set>
#include <string>

namespace grading {

/// The tests of a checked program whose worker ended without its controls: nothing shows that what it did was
/// observed.
std::set<std::string> unproven(const CheckedEvidence& checked);

/// Fails a test that is accepted but not proven.
void refuse_unproven(const CheckedEvidence& checked, std::vector<model::TestResult>& results);

} // namespace grading
