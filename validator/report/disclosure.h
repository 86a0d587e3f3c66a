#pragma once

#include "model/judgement.h"

namespace report {

/// The judgement as its learner may see it; every format starts from this.
/// - A hidden test keeps its name, verdict, points and duration; what a sanitizer said in it is gone as well,
/// because a
///   submission can print its inputs there.
/// - `Detail::verdict` keeps the same of a visible test; `Detail::mismatch` loses message, output and
/// sanitizer text.
/// - Questions keep id, kind, concept, prompt, unit, and ids and words of the options; none are left of an
/// ungraded run.
/// - At most 100 diagnostics and 20 findings are kept; a last diagnostic says how many more there were.
model::Judgement disclosed(model::Judgement judgement);

} // namespace report
