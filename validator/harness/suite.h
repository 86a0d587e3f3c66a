#pragma once

// All that a suite needs beside "subject/proxies.h".
#include "harness/depth.h"
#include "harness/expect.h"
#include "harness/sizes.h"
#include "harness/tensors.h"
#include "harness/timed.h"

#include <doctest/doctest.h>

namespace harness {

/// The stream of the running test case: the run's seed mixed with the test's name.
Random random();

/// A stream of the running test case that is the same for every seed: for calls that the suite constructs, so
/// that what they find is found in each run.
Random constructed();

/// The run's seed, which the report prints.
std::uint64_t seed();

/// A call of this test has to move at least so many bytes of device memory: each input byte that it needs
/// read once, each output byte written once. Adds up over the test; `traffic` in problem.json grades against
/// it.
void minimum_traffic(std::uint64_t bytes);

/// TEST_CASE("seventy thousand tokens" * large): takes far longer than the others. The checked build, which
/// is several times slower still, leaves it out, and a known mistake goes through it only if it does in
/// another failed case what the submission does, or if there is no other.
inline const doctest::description large("large");

/// TEST_CASE("GPT-2's table, 65,536 ids" * timed): no test, and not in problem.json. `engine bench` runs it:
/// it measures one function by `time_calls`.
inline const doctest::description timed("timed");

} // namespace harness
