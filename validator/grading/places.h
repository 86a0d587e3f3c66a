#pragma once

#include "events/event.h"
#include "model/judgement.h"

#include <vector>

namespace grading {

/// Sets where in the learner's code each failing test went wrong. What a sanitizer or a trace found there
/// takes precedence over the line of a crash, which may come later than its cause.
void set_places(const events::DriverRun& judged, const std::vector<model::SanitizerFinding>& findings,
                std::vector<model::TestResult>& tests);

} // namespace grading
