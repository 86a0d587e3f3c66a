#pragma once

#include "model/judgement.h"
#include "model/submission.h"

#include <set>
#include <string>
#include <vector>

namespace diagnosis {

/// Warnings of names of the standard library whose header the submission does not include: our compiler has
/// it by luck, and another one refuses the file. One a header, at its first use. `provided` are the headers
/// that come with the contract.
std::vector<model::Diagnostic> missing_includes(const model::Submission& submission,
                                                const std::set<std::string>& provided);

} // namespace diagnosis
