#include "grading/judge.h"

#include "diagnosis/compiler.h"
#include "diagnosis/mistakes.h"
#include "grading/controls.h"
#include "grading/device.h"
#include "grading/gpu_checks.h"
#include "grading/grade.h"
#include "grading/on_gpu.h"
#include "grading/places.h"
#include "grading/summary.h"
#include "questions/draw.h"

#include <algorithm>
#include <iterator>

namespace grading {
namespace {

using model::Judgement;
using model::Verdict;

std::uint64_t calls_of(const std::optional<events::DriverRun>& run) {
    std::uint64_t calls = 0;
    if (run)
        for (const events::Event& event : run->events)
            if (const auto* ended = std::get_if<events::CaseEnded>(&event)) calls += ended->calls;
    return calls;
}

/// In every run that the judgement rests on.
std::uint64_t calls_made(const Evidence& evidence) {
    std::uint64_t calls = calls_of(evidence.judged.run) + calls_of(evidence.naming);
    for (const CheckedEvidence& checked : evidence.checks)
        calls += calls_of(checked.run) + calls_of(checked.alone);
    return calls;
}

Judgement heading(const model::Problem& problem, const Evidence& evidence) {
    Judgement judgement;
    judgement.problem_id = problem.id;
    judgement.problem_title = problem.title;
    judgement.file = evidence.file;
    judgement.from = evidence.from;
    judgement.call = evidence.call;
    judgement.graded = evidence.graded;
    judgement.thorough = evidence.thorough;
    judgement.seed = evidence.seed;
    judgement.isolation = evidence.isolation;
    judgement.toolchain = evidence.toolchain;
    judgement.device = evidence.device;
    judgement.gpu = evidence.gpu;
    const ProgramEvidence& judged = evidence.judged;
    judgement.timing = {judged.build.compile, judged.build.link,   judged.time,
                        evidence.total,       judged.build.cached, calls_made(evidence)};
    return judgement;
}

/// Each build that the grade rests on has to compile. What passes on the emulator is CUDA only if NVIDIA's
/// compiler takes it, where there is one to ask.
model::CompileResult compile_result(const Evidence& evidence) {
    const auto failing = std::ranges::find_if(
        evidence.checks, [](const CheckedEvidence& checked) { return !checked.build.ok; });
    const bool checked_fails = evidence.judged.build.ok && failing != evidence.checks.end();
    const model::BuildResult& build = checked_fails ? failing->build : evidence.judged.build;
    if (build.ok && evidence.nvcc && !evidence.nvcc->ok) return *evidence.nvcc;
    model::CompileResult result{build.ok, build.diagnostics};
    if (checked_fails)
        result.diagnostics.push_back(
            {.severity = model::Severity::note,
             .message = failing->check == model::Check::gpu
                            ? "this was said of the build for the GPU; the one for the emulator compiles"
                            : "this was said of the checked build; the other one compiles"});
    for (model::Diagnostic& diagnostic : result.diagnostics)
        diagnostic.explanation = diagnosis::explain(diagnostic, build.defined);
    return result;
}

std::string trouble_of(const CheckedEvidence& checked) {
    return checked.run->trouble + (checked.alone ? checked.alone->trouble : "");
}

/// What the evidence of one kind of check does to the tests' results, and where the report says that it was
/// made, or why not.
struct CheckRule {
    model::Check check;
    std::vector<model::SanitizerFinding> (*apply)(const model::Problem&, const Evidence&,
                                                  const CheckedEvidence&, std::vector<model::TestResult>&);
    bool model::SanitizerResult::*made;
    std::string model::SanitizerResult::*reason;
};

std::vector<model::SanitizerFinding> by_sanitizers(const model::Problem& problem, const Evidence&,
                                                   const CheckedEvidence& checked,
                                                   std::vector<model::TestResult>& results) {
    return apply_sanitizers(problem, checked, results);
}

std::vector<model::SanitizerFinding> by_trace(const model::Problem& problem, const Evidence& evidence,
                                              const CheckedEvidence& checked,
                                              std::vector<model::TestResult>& results) {
    return apply_trace(problem, checked, evidence.judged.traces, results);
}

const CheckRule rules[] = {
    {model::Check::sanitizers, by_sanitizers, &model::SanitizerResult::ran, &model::SanitizerResult::reason},
    {model::Check::trace, by_trace, &model::SanitizerResult::ran, &model::SanitizerResult::reason},
    {model::Check::races, by_sanitizers, &model::SanitizerResult::races,
     &model::SanitizerResult::races_reason},
};

/// What the programs that check add to the tests' results.
model::SanitizerResult apply_checks(const model::Problem& problem, const Evidence& evidence,
                                    std::vector<model::TestResult>& results) {
    model::SanitizerResult result;
    for (const CheckRule& rule : rules) {
        const CheckedEvidence* checked = evidence.made(rule.check);
        if (checked == nullptr) {
            if (std::string why = evidence.why_left_out(rule.check); !why.empty())
                result.*rule.reason = std::move(why);
            continue;
        }
        result.*rule.made = complete(*checked);
        if (!(result.*rule.made)) result.*rule.reason = trouble_of(*checked);
        std::ranges::move(rule.apply(problem, evidence, *checked, results),
                          std::back_inserter(result.findings));
        refuse_unproven(*checked, results);
    }
    if (const CheckedEvidence* on_gpu = evidence.made(model::Check::gpu))
        apply_gpu(*on_gpu, evidence.gpu->gpu, results);
    apply_gpu_checks(problem, evidence, results, result.findings);
    return result;
}

std::vector<model::Diagnosis> diagnose(const model::Problem& problem, const Evidence& evidence,
                                       const Judgement& judgement) {
    const auto name = [&](const std::vector<events::Event>& seen) {
        return diagnosis::name_mistakes(problem, judgement.tests, seen, judgement.sanitizer.findings);
    };
    if (!evidence.naming) return name(evidence.judged.run->events);
    std::vector<events::Event> seen = evidence.judged.run->events;
    for (const events::Event& event : evidence.naming->events)
        if (std::holds_alternative<events::MistakeMatched>(event)) seen.push_back(event);
    return name(seen);
}

/// The judged run saw each call once; a naming run saw only those of tests that failed.
std::vector<model::FailingCalls> failing_calls(const Evidence& evidence) {
    std::vector<model::FailingCalls> list;
    for (const events::Event& event : evidence.judged.run->events)
        if (const auto* share = std::get_if<events::FailuresShare>(&event))
            if (share->says != events::does_not_return) list.push_back({share->function, share->says});
    return list;
}

/// The hint of a test is about the values that it expects: it misleads next to a crash or an endless loop.
void add_hints(const std::vector<model::TestSpec>& tests, std::vector<model::TestResult>& results) {
    for (model::TestResult& result : results)
        if (result.verdict == Verdict::wrong_answer || result.verdict == Verdict::not_implemented)
            if (const auto spec = std::ranges::find(tests, result.name, &model::TestSpec::name);
                spec != tests.end())
                result.hint = spec->hint;
}

/// Warnings are read beside a failure. Where the file does not compile the errors come first, and where it
/// does what it should, or nothing yet, there is no failure. A note belongs to the message before it.
void keep_useful_warnings(Judgement& judgement) {
    const bool failed = judgement.compile.ok && judgement.verdict != Verdict::accepted &&
                        judgement.verdict != Verdict::not_implemented &&
                        judgement.verdict != Verdict::judge_error;
    if (failed) return;
    bool kept = true;
    std::erase_if(judgement.compile.diagnostics, [&](const model::Diagnostic& diagnostic) {
        if (diagnostic.severity != model::Severity::note)
            kept = diagnostic.severity != model::Severity::warning;
        return !kept;
    });
}

Verdict verdict_of(const Judgement& judgement) {
    if (!judgement.compile.ok) return Verdict::compile_error;
    const Verdict verdict = overall(judgement.tests);
    // A checked build that was due and did not run to its end leaves the grade open.
    const bool open = judgement.graded && !judgement.sanitizer.ran && judgement.toolchain.sanitizers;
    return open && verdict == Verdict::accepted ? Verdict::judge_error : verdict;
}

std::vector<model::TestSpec> tests_of(const model::Problem& problem, bool graded) {
    std::vector<model::TestSpec> tests;
    std::ranges::copy_if(problem.tests, std::back_inserter(tests), [&](const model::TestSpec& test) {
        return graded || test.visibility == model::Visibility::visible;
    });
    return tests;
}

void add_points(const model::Problem& problem, Judgement& judgement) {
    for (const model::TestSpec& test : tests_of(problem, judgement.graded))
        judgement.max_points += test.points;
    for (const model::TestResult& result : judgement.tests)
        judgement.points += result.points;
}

} // namespace

Judgement judge(const model::Problem& problem, const Evidence& evidence) {
    Judgement judgement = heading(problem, evidence);
    judgement.compile = compile_result(evidence);
    judgement.nvcc_compiled = evidence.nvcc && evidence.nvcc->ok;
    if (judgement.compile.ok && evidence.judged.run) {
        judgement.tests = grade(problem, evidence.tests, *evidence.judged.run);
        judgement.sanitizer = apply_checks(problem, evidence, judgement.tests);
        if (judgement.gpu && judgement.graded)
            judgement.gpu->compute_sanitizer = account_of_gpu_checks(problem, evidence);
        if (const CheckedEvidence* traced = evidence.made(model::Check::trace))
            judgement.traffic = traffic_table(problem, traced->traces);
        judgement.diagnosis = diagnose(problem, evidence, judgement);
        if (judgement.diagnosis.empty()) judgement.failing_calls = failing_calls(evidence);
        add_hints(evidence.tests, judgement.tests);
        set_places(*evidence.judged.run, judgement.sanitizer.findings, judgement.tests);
    } else if (!judgement.compile.ok) {
        judgement.tests = not_run(evidence.tests);
    }
    judgement.verdict = verdict_of(judgement);
    keep_useful_warnings(judgement);
    if (judgement.compile.ok)
        judgement.compile.diagnostics.insert(judgement.compile.diagnostics.end(),
                                             evidence.missing_includes.begin(),
                                             evidence.missing_includes.end());
    add_points(problem, judgement);
    judgement.summary = summary_of(judgement);
    if (judgement.graded && judgement.verdict == Verdict::accepted)
        judgement.questions = questions::drawn(problem.questions, judgement.seed);
    judgement.next = next_step(problem, judgement);
    return judgement;
}

std::vector<std::string> tests_to_repeat(const model::Problem& problem, const Evidence& evidence,
                                         const CheckedEvidence& checked) {
    if (!evidence.judged.run || !checked.one_worker) return {};
    return failed_in_checked_only(grade(problem, evidence.tests, *evidence.judged.run), checked);
}

Judgement unreadable(const model::Problem& problem, const model::Submission& submission, bool graded,
                     const std::string& why) {
    Evidence evidence{.file = submission.shown_as,
                      .from = submission.from,
                      .call = submission.call,
                      .graded = graded,
                      .tests = tests_of(problem, graded)};
    evidence.judged.build.diagnostics.push_back({.severity = model::Severity::error, .message = why});
    return judge(problem, evidence);
}

} // namespace grading
