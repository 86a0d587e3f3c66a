#pragma once

#include "events/event.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <string>
#include <vector>

namespace diagnosis {

/// The failing tests in which a mistake could be recognised by what it does: not those that the suite broke
/// in, nor those that ended where something is not implemented, which no mistake does, or where a call had no
/// reply.
std::vector<std::string> recognisable(const std::vector<events::Event>& events);

/// Names the mistakes whose behaviour matched the submission's, best first. One that explains every failing
/// test is certain, and then no uncertain one is named besides.
///
/// A name is evidence, or it is not given:
/// - A mistake that fails a test which the submission passed is not the submission's.
/// - A test that ended at a line, by a crash or a sanitizer, is explained by that line and by no name.
/// - Mistakes that explain only a part are named where together they explain all: each test that went wrong
///   is either matched by one of them, or failed by several, whose effects mix.
///
/// A mistake in a kernel may show in the traced build alone, where there is nothing to compare: it is named
/// when the same tests fail as it must fail, and what was found is what kills.json says is found.
std::vector<model::Diagnosis> name_mistakes(const model::Problem& problem,
                                            const std::vector<model::TestResult>& results,
                                            const std::vector<events::Event>& events,
                                            const std::vector<model::SanitizerFinding>& findings = {});

} // namespace diagnosis
