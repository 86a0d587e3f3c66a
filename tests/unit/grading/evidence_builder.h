#pragma once

#include "emulator/trace.h"
#include "grading/evidence.h"
#include "grading/judge.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Evidence of submissions to a problem of two tests, for tests to change in one point.
namespace grading_test {

using events::CaseEnded;
using events::DriverRun;
using events::Finding;
using grading::Evidence;
using model::Check;
using model::Fate;
using model::FindingKind;
using model::Language;
using model::Problem;

inline const std::string data_race =
    "WARNING: ThreadSanitizer: data race (pid=7)\n"
    "  Write of size 4 at 0x6 by thread T1:\n    #0 f f.cpp:3 (worker+0x1)\n";
inline const std::string overflow = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6\n"
                                    "    #0 0x5 in exercise::f(float*) ./f.cpp:11\n";

/// Two tests, the second hidden, of 12 and 8 points, and two mistakes.
inline Problem two_tests(Language language) {
    Problem problem;
    problem.id = "twice";
    problem.title = "Twice";
    problem.language = language;
    problem.files = {language == Language::cuda ? "f.cu" : "f.cpp"};
    problem.tests = {{.name = "a", .points = 12, .hint = "hint a"},
                     {.name = "b", .points = 8, .visibility = model::Visibility::hidden}};
    problem.mistakes = {{.name = "adds-one", .says = "You add one.", .always = {"a"}},
                        {.name = "races", .says = "Two write.", .always = {"a"}}};
    problem.mistakes[1].finds = {FindingKind::race_in_block};
    problem.questions = {{.id = "why"}};
    return problem;
}

inline DriverRun whole_run(std::vector<CaseEnded> cases) {
    DriverRun run;
    run.complete = true;
    run.events.push_back(events::CasesEvent{{"a", "b"}});
    for (CaseEnded& ended : cases)
        run.events.push_back(std::move(ended));
    return run;
}
inline DriverRun broken_run() {
    DriverRun run;
    run.trouble = "the driver was killed";
    return run;
}

inline CaseEnded pass(const std::string& name) {
    return {.name = name};
}
inline CaseEnded fail(const std::string& name, Finding finding, const std::string& output = "") {
    return {.name = name, .findings = {std::move(finding)}, .output = output};
}
inline Finding wrong() {
    return {.kind = Finding::Kind::assertion, .text = "does not hold"};
}
inline Finding died(Fate fate, int code = 0) {
    return {.kind = Finding::Kind::died, .function = "f", .fate = fate, .code = code};
}
inline Finding missing() {
    return {.kind = Finding::Kind::not_implemented, .function = "f"};
}

inline grading::ProgramEvidence program(DriverRun run) {
    grading::ProgramEvidence seen;
    seen.build.ok = true;
    seen.run = std::move(run);
    return seen;
}
inline grading::ProgramEvidence no_program(const std::string& message) {
    grading::ProgramEvidence seen;
    seen.build.diagnostics = {{.file = "f.cpp", .line = 3, .message = message}};
    return seen;
}

/// A graded C++ submission that passes everything in both builds.
inline Evidence sanitized() {
    Evidence evidence{.file = "f.cpp", .graded = true, .tests = two_tests(Language::cpp).tests};
    evidence.judged = program(whole_run({pass("a"), pass("b")}));
    evidence.checks = {{program(whole_run({pass("a"), pass("b")})), Check::sanitizers, true, {}}};
    return evidence;
}

/// A change that leaves the evidence as it is.
inline void nothing(Evidence&) {}

inline emulator::Trace traced(std::vector<emulator::Finding> findings = {}) {
    emulator::Trace trace;
    trace.traced = true;
    trace.findings = std::move(findings);
    return trace;
}

/// A graded CUDA submission that passes everything and whose kernels do nothing wrong.
inline Evidence traced_too() {
    Evidence evidence = sanitized();
    evidence.file = "f.cu";
    evidence.device = "emulated";
    evidence.checks[0].check = Check::trace;
    evidence.checks[0].one_worker = false;
    evidence.checks[0].traces = {{"a", traced()}, {"b", traced()}};
    evidence.nvcc = model::CompileResult{};
    return evidence;
}

/// What comes of a submission that passes everything, but for `change`.
inline model::Judgement judged(Language language, const std::function<void(Evidence&)>& change) {
    Evidence evidence = language == Language::cuda ? traced_too() : sanitized();
    change(evidence);
    return grading::judge(two_tests(language), evidence);
}

} // namespace grading_test
