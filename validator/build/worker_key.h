#pragma once

#include "build/call_table.h"
#include "build/variant.h"
#include "build/workshop.h"
#include "model/problem.h"
#include "model/submission.h"

#include <string>

namespace build {

/// Everything that decides what program comes out, as the key of the cache. Throws model::EnvironmentError
/// where something that submissions are linked with is missing.
std::string worker_key(const Workshop& workshop, const model::Problem& problem, const CallTable* table,
                       const model::Submission& submission, Variant variant);

} // namespace build
