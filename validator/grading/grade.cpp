#include "grading/grade.h"

#include "diagnosis/assertions.h"
#include "diagnosis/sanitizer.h"
#include "grading/controls.h"
#include "grading/words.h"

#include <algorithm>
#include <map>
#include <set>

namespace grading {
namespace {

using events::DriverRun;
using model::TestResult;
using model::Verdict;

using Cases = std::map<std::string, const events::CaseEnded*>;

void add_ended_cases(const DriverRun& run, Cases& cases) {
    for (const events::Event& event : run.events)
        if (const auto* ended = std::get_if<events::CaseEnded>(&event)) cases[ended->name] = ended;
}

std::set<std::string> registered_cases(const DriverRun& run) {
    for (const events::Event& event : run.events)
        if (const auto* cases = std::get_if<events::CasesEvent>(&event))
            return {cases->names.begin(), cases->names.end()};
    return {};
}

constexpr const char* too_large_when_checked = "your program used up the memory it may have";

/// Why a test has no result of its own.
std::string missing_words(const std::string& name, const DriverRun& run,
                          const std::set<std::string>& registered) {
    if (run.interrupted) return "the run was interrupted before this test ended";
    if (!registered.empty() && !registered.contains(name))
        return "the suite has no test case of this name: manifest and suite disagree";
    return "the judge itself stopped before this test ended" +
           (run.trouble.empty() ? "" : ": " + run.trouble);
}

void apply(const events::CaseEnded& ended, const model::Limits& limits, TestResult& result) {
    if (ended.skipped) {
        result.verdict = Verdict::skipped;
        result.message = "not run: earlier calls used up the time limit of all tests";
        return;
    }
    result.duration = ended.duration;
    result.output = ended.output;
    if (ended.findings.empty()) {
        result.verdict = Verdict::accepted;
        return;
    }
    const events::Finding& first = ended.findings.front();
    result.verdict = verdict_of(first, limits);
    result.message = words_for(first, limits);
    if (const auto assertion = aborted(first) ? diagnosis::failed_assertion(ended.output) : std::nullopt) {
        result.message = words_for(first, *assertion);
        result.output.erase(assertion->begin, assertion->end - assertion->begin); // it has been told
    }
    for (const events::Finding& finding : ended.findings)
        if (finding.mismatch && !result.mismatch) result.mismatch = finding.mismatch;
}

/// Its name, what it is worth, and how much may be told of it.
TestResult heading(const model::TestSpec& spec) {
    TestResult result;
    result.name = spec.name;
    result.max_points = spec.points;
    result.visibility = spec.visibility;
    result.detail = spec.detail;
    result.concept_name = spec.concept_name;
    return result;
}

} // namespace

std::vector<TestResult> not_run(const std::vector<model::TestSpec>& selected) {
    std::vector<TestResult> results;
    results.reserve(selected.size());
    for (const model::TestSpec& spec : selected)
        results.push_back(heading(spec));
    return results;
}

std::vector<TestResult> grade(const model::Problem& problem, const std::vector<model::TestSpec>& selected,
                              const DriverRun& run) {
    Cases ended;
    add_ended_cases(run, ended);
    const auto registered = registered_cases(run);
    std::vector<TestResult> results;
    for (const model::TestSpec& spec : selected) {
        TestResult result = heading(spec);
        if (const auto found = ended.find(spec.name); found != ended.end()) {
            apply(*found->second, problem.limits, result);
        } else {
            result.verdict = Verdict::judge_error;
            result.message = missing_words(spec.name, run, registered);
        }
        if (result.verdict == Verdict::accepted) result.points = spec.points;
        results.push_back(std::move(result));
    }
    return results;
}

Cases ended_cases(const CheckedEvidence& checked) {
    Cases cases;
    if (checked.run) add_ended_cases(*checked.run, cases);
    if (checked.alone) add_ended_cases(*checked.alone, cases);
    return cases;
}

bool complete(const CheckedEvidence& checked) {
    return checked.run && checked.run->complete && (!checked.alone || checked.alone->complete);
}

namespace {

/// A call that never ended has had its time; no other test takes that away.
bool ran_out_of_time(const events::CaseEnded& ended) {
    return std::ranges::any_of(ended.findings, [](const events::Finding& finding) {
        return finding.kind == events::Finding::Kind::died && finding.fate == model::Fate::timed_out;
    });
}

} // namespace

std::vector<std::string> failed_in_checked_only(const std::vector<TestResult>& results,
                                                const CheckedEvidence& checked) {
    const auto ended = ended_cases(checked);
    const auto open = unproven(checked);
    std::vector<std::string> names;
    for (const TestResult& result : results)
        if (const auto found = ended.find(result.name);
            result.verdict == Verdict::accepted && found != ended.end() && !ran_out_of_time(*found->second) &&
            (!found->second->findings.empty() || open.contains(result.name)))
            names.push_back(result.name);
    return names;
}

std::vector<model::SanitizerFinding> apply_sanitizers(const model::Problem& problem,
                                                      const CheckedEvidence& checked_program,
                                                      std::vector<TestResult>& results) {
    const Cases ended = ended_cases(checked_program);
    std::vector<model::SanitizerFinding> findings;
    for (TestResult& result : results) {
        const auto found = ended.find(result.name);
        if (found == ended.end() && result.verdict == Verdict::accepted) {
            result.verdict = Verdict::judge_error;
            result.message = "the checked build did not run this test";
            result.points = 0;
        }
        if (found == ended.end() || (found->second->findings.empty() && !found->second->skipped)) continue;
        TestResult checked = result;
        apply(*found->second, checked_program.limits, checked);
        if (!found->second->findings.empty() &&
            diagnosis::checked_build_ran_out_of_memory(found->second->output)) {
            checked.verdict = Verdict::memory_limit_exceeded;
            checked.message = too_large_when_checked;
        }
        const auto finding = diagnosis::read_sanitizer_report(found->second->output, problem.files);
        if (finding) {
            findings.push_back(*finding);
            findings.back().test = result.name;
        }
        if (result.verdict != Verdict::accepted && !(finding && result.verdict == Verdict::run_time_error))
            continue;
        result.verdict = checked.verdict;
        result.message = checked.message;
        if (!finding)
            result.message += "\nthis was seen in the checked build; the optimised one behaved differently";
        result.mismatch = checked.mismatch;
        result.points = 0;
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
        if (result.verdict != Verdict::accepted && result.verdict != Verdict::not_implemented &&
            result.verdict != Verdict::skipped)
            return result.verdict;
    for (const Verdict verdict : {Verdict::not_implemented, Verdict::skipped})
        if (has(verdict)) return verdict;
    return Verdict::accepted;
}

} // namespace grading
