#pragma once

#include "app/context.h"
#include "app/exit_code.h"

namespace app {

/// What `test` and `submit-build` have in common: read, judge, record, report.
ExitCode judge_and_report(Context& context, bool graded, std::string_view command);

/// The seed of a run that was not given one.
std::uint64_t fresh_seed();

} // namespace app
