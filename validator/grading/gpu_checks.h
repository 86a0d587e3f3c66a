#pragma once

#include "grading/evidence.h"
#include "model/judgement.h"

#include <string>
#include <vector>

/// What compute-sanitizer's tools printed, turned into verdicts and findings. It runs in a process tree with
/// the submission, so its words can fail a test, and their absence costs nothing.
namespace grading {

/// The tests that its tools are to run: those that came to their end on the GPU.
std::vector<std::string> tests_to_check(const Evidence& evidence);

/// Whether the tool came so far that the program began to serve a test.
bool is_started(const GpuCheck& check);

/// The tests of workers that served several and in which something was found: each has to run in a worker of
/// its own before it is known whose doing that was.
std::vector<std::string> tests_to_repeat(const GpuCheck& check, const std::vector<std::string>& files);

/// Applies the findings to the results of the tests: a test passes only if it passes everywhere and nothing
/// was found in it. Adds to `findings` what is not known yet of the same place in the same test.
void apply_gpu_checks(const model::Problem& problem, const Evidence& evidence,
                      std::vector<model::TestResult>& results,
                      std::vector<model::SanitizerFinding>& findings);

/// Which of the tools came to their end, and why the others did not.
model::ComputeSanitizer account_of_gpu_checks(const model::Problem& problem, const Evidence& evidence);

} // namespace grading
