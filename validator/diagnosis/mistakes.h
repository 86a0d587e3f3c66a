#pragma once

#include "harness/events.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <vector>

namespace diagnosis {

/// Names the mistakes whose behaviour matched the submission's, best first. One that explains every failing
/// test is certain, and then no uncertain one is named beside it.
///
/// A mistake in a kernel may show in the traced build alone, where there is nothing to compare: it is named
/// when the same tests fail as it must fail, and what was found is what its header says is found.
std::vector<model::Diagnosis> name_mistakes(const model::Problem& problem,
                                            const std::vector<model::TestResult>& results,
                                            const std::vector<harness::Event>& events,
                                            const std::vector<model::SanitizerFinding>& findings = {});

} // namespace diagnosis
