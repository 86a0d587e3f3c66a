#include "grading/gpu_checks.h"

#include "diagnosis/compute_sanitizer.h"
#include "grading/device_words.h"
#include "grading/grade.h"

#include <algorithm>
#include <fmt/format.h>

namespace grading {
namespace {

using diagnosis::ComputeSanitizerReport;
using model::SanitizerFinding;
using model::TestResult;
using model::Verdict;

/// A worker, with what was understood of all that it and the tool printed.
struct ReadWorker {
    const events::WorkerEnded* ended = nullptr;
    ComputeSanitizerReport report;
};

std::vector<ReadWorker> read_workers(const events::DriverRun& run, const std::vector<std::string>& files) {
    std::vector<ReadWorker> workers;
    for (const events::Event& event : run.events)
        if (const auto* ended = std::get_if<events::WorkerEnded>(&event))
            workers.push_back({ended, diagnosis::read_compute_sanitizer(ended->shown, files)});
    return workers;
}

/// With the test that each is known to belong to.
std::vector<SanitizerFinding> findings_of(const GpuCheck& check, const model::Gpu& gpu,
                                          const std::vector<std::string>& files) {
    std::vector<SanitizerFinding> findings;
    const auto add = [&](const events::DriverRun& run) {
        for (ReadWorker& worker : read_workers(run, files)) {
            if (worker.ended->cases.size() != 1) continue;
            for (SanitizerFinding& finding : worker.report.findings) {
                finding.test = worker.ended->cases.front();
                finding.text += fmt::format("\nseen by compute-sanitizer ({}) on {}", check.tool, gpu.name);
                findings.push_back(std::move(finding));
            }
        }
    };
    add(check.run);
    if (check.alone) add(*check.alone);
    return findings;
}

bool has_findings(const events::DriverRun& run, const std::vector<std::string>& files) {
    return std::ranges::any_of(read_workers(run, files),
                               [](const ReadWorker& worker) { return !worker.report.findings.empty(); });
}

/// Why the tool's words on this worker are no account of what it did; empty where they are.
std::string trouble_of(const ReadWorker& worker) {
    const ComputeSanitizerReport& report = worker.report;
    if (!report.trouble.empty()) return report.trouble;
    if (!worker.ended->trouble.empty()) return worker.ended->trouble;
    const std::string unread =
        report.ignored == 0 ? "" : fmt::format("; {} of its lines could not be read", report.ignored);
    if (!report.errors) return "it ended without a summary" + unread;
    if (*report.errors > 0 && report.findings.empty() && report.harmless == 0)
        return fmt::format("it counted {} errors, and none could be read{}", *report.errors, unread);
    return {};
}

std::string trouble_of(const events::DriverRun& run, const std::vector<std::string>& files) {
    const std::vector<ReadWorker> workers = read_workers(run, files);
    for (const ReadWorker& worker : workers)
        if (std::string trouble = trouble_of(worker); !trouble.empty()) return trouble;
    if (!run.complete) return run.trouble;
    for (const events::Event& event : run.events)
        if (const auto* ended = std::get_if<events::CaseEnded>(&event); ended != nullptr && ended->skipped)
            return "calls under it used up the time of all tests";
    return workers.empty() ? "no test calls the program there" : "";
}

std::string trouble_of(const GpuCheck& check, const std::vector<std::string>& files) {
    if (std::string trouble = trouble_of(check.run, files); !trouble.empty()) return trouble;
    if (!check.alone) return {};
    if (std::string trouble = trouble_of(*check.alone, files); !trouble.empty()) return trouble;
    return has_findings(*check.alone, files)
               ? ""
               : "what it found where one process served all tests did not show with one for each";
}

void fail(const SanitizerFinding& finding, TestResult& result) {
    // A test that never ends keeps its verdict; what was found is told beside it.
    if (result.verdict != Verdict::accepted && result.verdict != Verdict::wrong_answer &&
        !(result.verdict == Verdict::run_time_error && finding.line > 0))
        return;
    result.verdict = Verdict::run_time_error;
    result.message = message_of(finding);
    result.points = 0;
}

} // namespace

std::vector<std::string> tests_to_check(const Evidence& evidence) {
    std::vector<std::string> names;
    const CheckedEvidence* on_gpu = evidence.made(model::Check::gpu);
    if (on_gpu == nullptr) return names;
    const auto never_ended = [](const events::Finding& finding) {
        return finding.kind == events::Finding::Kind::died && finding.fate == model::Fate::timed_out;
    };
    for (const auto& [name, ended] : ended_cases(*on_gpu))
        if (!ended->skipped && !ended->left_out && std::ranges::none_of(ended->findings, never_ended))
            names.push_back(name);
    return names;
}

bool is_started(const GpuCheck& check) {
    return check.run.complete && std::ranges::none_of(check.run.events, [](const events::Event& event) {
               const auto* ended = std::get_if<events::WorkerEnded>(&event);
               return ended != nullptr && ended->before_ready;
           });
}

std::vector<std::string> tests_to_repeat(const GpuCheck& check, const std::vector<std::string>& files) {
    std::vector<std::string> names;
    for (const ReadWorker& worker : read_workers(check.run, files))
        if (worker.ended->cases.size() > 1 && !worker.report.findings.empty())
            names.insert(names.end(), worker.ended->cases.begin(), worker.ended->cases.end());
    return names;
}

void apply_gpu_checks(const model::Problem& problem, const Evidence& evidence,
                      std::vector<TestResult>& results, std::vector<SanitizerFinding>& findings) {
    const std::vector<SanitizerFinding> by_trace = findings;
    for (const GpuCheck& check : evidence.gpu_checks)
        for (SanitizerFinding& finding : findings_of(check, evidence.gpu->gpu, problem.files)) {
            const auto result = std::ranges::find(results, finding.test, &TestResult::name);
            if (result == results.end()) continue;
            const auto at_same_place = [&](const SanitizerFinding& known) {
                return known.test == finding.test && known.file == finding.file && known.line == finding.line;
            };
            // The trace has said it in more words.
            if (finding.line > 0 && std::ranges::any_of(by_trace, at_same_place)) continue;
            const bool is_known = std::ranges::any_of(findings, [&](const SanitizerFinding& known) {
                return at_same_place(known) && known.kind == finding.kind;
            });
            if (is_known) continue;
            const bool is_first = std::ranges::none_of(
                findings, [&](const SanitizerFinding& known) { return known.test == finding.test; });
            if (is_first) fail(finding, *result);
            findings.push_back(std::move(finding));
        }
}

model::ComputeSanitizer account_of_gpu_checks(const model::Problem& problem, const Evidence& evidence) {
    model::ComputeSanitizer account{evidence.compute_sanitizer, {}, evidence.no_compute_sanitizer};
    for (const GpuCheck& check : evidence.gpu_checks) {
        const std::string trouble = trouble_of(check, problem.files);
        if (trouble.empty())
            account.ran.push_back(check.tool);
        else
            account.reason +=
                fmt::format("{}{}: {}", account.reason.empty() ? "" : "; ", check.tool, trouble);
    }
    if (!evidence.gpu_checks.empty() && !is_started(evidence.gpu_checks.back()))
        account.reason += "; the tools after it were not tried";
    if (evidence.gpu_checks.empty() && account.reason.empty())
        account.reason = "no test came to its end on the GPU";
    return account;
}

} // namespace grading
