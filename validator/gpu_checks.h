#pragma once

#include "gather.h"
#include "grading/evidence.h"

namespace judge {

/// Runs compute-sanitizer's tools, one after the other, over the small tests of the program that has run on
/// the GPU, and adds what they printed to the evidence; or why they did not run. Throws Interrupted when the
/// request is cancelled.
void run_compute_sanitizer(const build::Workshop& workshop, const Request& request, const Program& on_gpu,
                           grading::Evidence& evidence);

} // namespace judge
