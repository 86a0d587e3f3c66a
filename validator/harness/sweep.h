#pragma once

#include "events/event.h"
#include "events/request.h"

#include <functional>

namespace harness {

/// Whether the sweep has to see another seed. It has not where one outcome did not depend on the seed, nor
/// where there were two different ones.
bool needs_another_seed(const events::Sweep& sweep, const events::Tally& tally);

/// Runs known mistakes with one seed after another and tells what came of each test. Each run has a worker of
/// its own, as a submission's test cases have.
void run_sweep(const events::Request& request, const std::function<void(const events::Swept&)>& tell);

} // namespace harness
