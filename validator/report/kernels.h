#pragma once

#include "model/judgement.h"
#include "report/page.h"

namespace report {

/// What was found in kernels: one line a place, each with a sentence.
void kernel_findings(Page& page, const std::vector<model::SanitizerFinding>& findings);

/// What kernels moved: one sentence a kernel, worst first, and the line that wastes most.
void kernel_traffic(Page& page, const std::vector<model::KernelTraffic>& traffic);

} // namespace report
