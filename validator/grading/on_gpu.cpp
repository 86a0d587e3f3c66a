#include "grading/on_gpu.h"

#include "grading/grade.h"
#include "grading/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace grading {
namespace {

using model::TestResult;
using model::Verdict;

void fail(Verdict verdict, std::string message, TestResult& result) {
    result.verdict = verdict;
    result.message = std::move(message);
    result.points = 0;
}

} // namespace

bool all_passed(const CheckedEvidence& on_gpu) {
    return std::ranges::all_of(ended_cases(on_gpu),
                               [](const auto& ended) { return ended.second->findings.empty(); });
}

void apply_gpu(const CheckedEvidence& on_gpu, const model::Gpu& gpu, std::vector<TestResult>& results) {
    const auto cases = ended_cases(on_gpu);
    for (TestResult& result : results) {
        if (result.verdict != Verdict::accepted) continue;
        const auto found = cases.find(result.name);
        if (found == cases.end()) {
            fail(Verdict::judge_error,
                 "the run on the GPU stopped before this test ended" +
                     (on_gpu.run && !on_gpu.run->trouble.empty() ? ": " + on_gpu.run->trouble : ""),
                 result);
            continue;
        }
        const events::CaseEnded& ended = *found->second;
        if (ended.skipped)
            fail(Verdict::skipped, "not run on the GPU: earlier calls used up the time limit of all tests",
                 result);
        if (ended.skipped || ended.findings.empty()) continue;
        const events::Finding& first = ended.findings.front();
        result.mismatch = first.mismatch;
        fail(verdict_of(first, on_gpu.limits),
             fmt::format("{}\nthis was seen on the GPU ({}); on the emulator the test passes",
                         words_for(first, on_gpu.limits), gpu.name),
             result);
    }
}

} // namespace grading
