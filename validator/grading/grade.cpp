#include "grading/grade.h"

#include "diagnosis/sanitizer.h"
#include "grading/words.h"

#include <algorithm>
#include <map>
#include <set>

namespace grading {
namespace {

using harness::DriverRun;
using model::TestResult;
using model::Verdict;

std::map<std::string, const harness::CaseEnded*> ended_cases(const DriverRun& run) {
    std::map<std::string, const harness::CaseEnded*> cases;
    for (const harness::Event& event : run.events)
        if (const auto* ended = std::get_if<harness::CaseEnded>(&event)) cases[ended->name] = ended;
    return cases;
}

std::set<std::string> registered_cases(const DriverRun& run) {
    for (const harness::Event& event : run.events)
        if (const auto* cases = std::get_if<harness::CasesEvent>(&event))
            return {cases->names.begin(), cases->names.end()};
    return {};
}

/// Why a test has no result of its own.
std::string missing_words(const std::string& name, const DriverRun& run,
                          const std::set<std::string>& registered) {
    if (run.interrupted) return "the run was interrupted before this test ended";
    if (!registered.empty() && !registered.contains(name))
        return "the suite has no test case of this name: manifest and suite disagree";
    return "the judge itself stopped before this test ended" +
           (run.trouble.empty() ? "" : ": " + run.trouble);
}

void apply(const harness::CaseEnded& ended, const model::Limits& limits, TestResult& result) {
    result.duration = ended.duration;
    result.output = ended.output;
    if (ended.findings.empty()) {
        result.verdict = Verdict::accepted;
        return;
    }
    const harness::Finding& first = ended.findings.front();
    result.verdict = verdict_of(first, limits);
    result.message = words_for(first, limits);
    for (const harness::Finding& finding : ended.findings)
        if (finding.mismatch && !result.mismatch) result.mismatch = finding.mismatch;
}

} // namespace

std::vector<TestResult> grade(const model::Problem& problem, const std::vector<model::TestSpec>& selected,
                              const DriverRun& run) {
    const auto ended = ended_cases(run);
    const auto registered = registered_cases(run);
    std::vector<TestResult> results;
    for (const model::TestSpec& spec : selected) {
        TestResult result;
        result.name = spec.name;
        result.max_points = spec.points;
        result.visibility = spec.visibility;
        result.detail = spec.detail;
        if (const auto found = ended.find(spec.name); found != ended.end()) {
            apply(*found->second, problem.limits, result);
        } else {
            result.verdict = Verdict::judge_error;
            result.message = missing_words(spec.name, run, registered);
        }
        if (result.verdict == Verdict::accepted)
            result.points = spec.points;
        else
            result.hint = spec.hint;
        results.push_back(std::move(result));
    }
    return results;
}

std::vector<std::string> failed_in_checked_only(const std::vector<TestResult>& results,
                                                const DriverRun& checked) {
    const auto ended = ended_cases(checked);
    std::vector<std::string> names;
    for (const TestResult& result : results)
        if (const auto found = ended.find(result.name);
            result.verdict == Verdict::accepted && found != ended.end() && !found->second->findings.empty())
            names.push_back(result.name);
    return names;
}

std::vector<model::SanitizerFinding> add_sanitized(const model::Problem& problem,
                                                   std::vector<TestResult>& results, const DriverRun& run) {
    const auto ended = ended_cases(run);
    std::vector<model::SanitizerFinding> findings;
    for (TestResult& result : results) {
        const auto found = ended.find(result.name);
        if (found == ended.end() && run.complete && result.verdict == Verdict::accepted) {
            result.verdict = Verdict::judge_error;
            result.message = "the checked build did not run this test";
            result.points = 0;
        }
        if (found == ended.end() || found->second->findings.empty()) continue;
        TestResult checked = result;
        apply(*found->second, problem.limits, checked);
        const auto finding = diagnosis::read_sanitizer_report(found->second->output, problem.files);
        if (finding) {
            findings.push_back(*finding);
            findings.back().test = result.name;
        }
        // The checked build is several times slower and hungrier, so limits bind only the optimised one.
        const bool by_limit = checked.verdict == Verdict::time_limit_exceeded ||
                              checked.verdict == Verdict::memory_limit_exceeded ||
                              diagnosis::checked_build_ran_out_of_memory(found->second->output);
        if (result.verdict != Verdict::accepted && !(finding && result.verdict == Verdict::run_time_error))
            continue;
        if (by_limit && !finding) continue;
        result.verdict = checked.verdict;
        result.message = checked.message;
        if (!finding)
            result.message += "\nthis was seen in the checked build; the optimised one behaved differently";
        result.mismatch = checked.mismatch;
        result.points = 0;
        for (const model::TestSpec& spec : problem.tests)
            if (spec.name == result.name) result.hint = spec.hint;
    }
    return findings;
}

Verdict overall(const std::vector<TestResult>& results) {
    const auto has = [&](Verdict verdict) {
        return std::ranges::any_of(results,
                                   [&](const TestResult& result) { return result.verdict == verdict; });
    };
    if (results.empty() || has(Verdict::judge_error)) return Verdict::judge_error;
    for (const TestResult& result : results)
        if (result.verdict != Verdict::accepted && result.verdict != Verdict::not_implemented)
            return result.verdict;
    return has(Verdict::not_implemented) ? Verdict::not_implemented : Verdict::accepted;
}

} // namespace grading
