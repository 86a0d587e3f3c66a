#pragma once

#include "app/context.h"
#include "app/exit_code.h"
#include "model/judgement.h"
#include "report/console.h"
#include "report/formats.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// How a judgement looks on the terminal.
using Rendering = std::string (*)(const model::Judgement&, const report::ConsoleStyle&);

/// What a command changes in a judgement that was recorded, before it is shown.
using Finish = std::function<void(const Context&, model::Judgement&)>;

/// What `test` and the commands that submit have in common: read, judge, record, report.
/// Nothing is recorded where `command` is empty. Throws MissingSubmission.
ExitCode judge_and_report(Context& context, bool graded, std::string_view command, const Finish& finish = {});

/// A practice run and a measurement of how fast the submission is, shown in its own way; leaves no attempt
/// behind. `formats` are those that the command declares.
ExitCode measure_and_show(Context& context, Rendering rendering, const std::vector<report::Format>& formats);

/// The seed of a run that was not given one.
std::uint64_t fresh_seed();

} // namespace app
