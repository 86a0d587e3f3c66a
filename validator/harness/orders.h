#pragma once

#include "harness/reporter.h"

#include <cstdint>
#include <string>

namespace harness {

/// Runs a case in which order may matter once under each order of threads, until a run fails; any other case
/// runs once. The hooks hear of each run. Returns the order of the last one.
///
/// A kernel that is right gives the right result under every order that a device may choose, so what depends
/// on the order of threads fails here with any seed.
std::uint32_t run_case_in_orders(const std::string& name, const CaseHooks& hooks);

} // namespace harness
