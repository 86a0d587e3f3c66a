#pragma once

// All that a suite needs beside "subject/proxies.h".
#include "harness/expect.h"
#include "harness/sizes.h"
#include "harness/tensors.h"

#include <doctest/doctest.h>

namespace harness {

/// The stream of the running test case: the run's seed mixed with the test's name.
Random random();

/// The run's seed, which the report prints.
std::uint64_t seed();

} // namespace harness
