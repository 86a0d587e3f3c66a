#pragma once

#include "model/judgement.h"

#include <optional>
#include <string>
#include <vector>

namespace diagnosis {

/// The finding in what a worker printed as a sanitizer stopped it: kind, and the first line of the learner's
/// own files in its stack. Nothing where the text holds no report. The text is untrusted; the most it can do
/// is describe a failure.
std::optional<model::SanitizerFinding> read_sanitizer_report(const std::string& output,
                                                             const std::vector<std::string>& files);

/// Whether AddressSanitizer stopped the program for its size alone, which it does with the status of a
/// finding.
bool checked_build_ran_out_of_memory(const std::string& output);

} // namespace diagnosis
