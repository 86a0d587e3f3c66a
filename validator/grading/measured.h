#pragma once

#include "grading/evidence.h"
#include "model/measurement.h"

#include <vector>

namespace grading {

/// What the runs of a suite's timed cases showed: traffic by the traced program, time by the one on a GPU
/// where there is one. Copies are not in it.
std::vector<model::MeasuredCall> measured_calls(const CheckedEvidence& traced, const CheckedEvidence* on_gpu);

} // namespace grading
