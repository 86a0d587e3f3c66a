#pragma once

#include "emulator/trace.h"
#include "model/judgement.h"

#include <string>
#include <vector>

namespace grading {

/// A finding of the emulator as the reports show it: places only in the learner's own files, and a text of
/// what happened and who did it.
model::SanitizerFinding describe(const emulator::Finding& finding, const std::string& test,
                                 const std::vector<std::string>& files);

/// The same as the message of a test: what happened, where, what to do next.
std::string message_of(const model::SanitizerFinding& finding);

/// "lookup.cu:12", or empty for a place that is none of the learner's.
std::string place_of(const emulator::Location& where, const std::vector<std::string>& files);

} // namespace grading
