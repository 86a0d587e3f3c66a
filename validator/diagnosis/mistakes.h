#pragma once

#include "events/event.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <string>
#include <vector>

namespace diagnosis {

/// The failing tests in which a mistake could be recognised by what it does: not those that the suite broke
/// in, nor those that ended where something is not implemented, which no mistake does.
std::vector<std::string> recognisable(const std::vector<events::Event>& events);

/// Names the mistakes whose behaviour matched the submission's, best first. One that explains every failing
/// test is certain, and then no uncertain one is named beside it.
///
/// A mistake in a kernel may show in the traced build alone, where there is nothing to compare: it is named
/// when the same tests fail as it must fail, and what was found is what kills.json says is found.
std::vector<model::Diagnosis> name_mistakes(const model::Problem& problem,
                                            const std::vector<model::TestResult>& results,
                                            const std::vector<events::Event>& events,
                                            const std::vector<model::SanitizerFinding>& findings = {});

} // namespace diagnosis
