#pragma once

#include "grading/evidence.h"
#include "model/judgement.h"

#include <vector>

namespace grading {

/// Whether every case of the run passed, or was left out there.
bool all_passed(const CheckedEvidence& on_gpu);

/// Applies what the run on a GPU showed to the results of the program on the emulator: a test passes only if
/// it passes in both.
void apply_gpu(const CheckedEvidence& on_gpu, const model::Gpu& gpu, std::vector<model::TestResult>& results);

} // namespace grading
