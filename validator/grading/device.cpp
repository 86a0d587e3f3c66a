#include "grading/device.h"

#include "emulator/trace_json.h"
#include "grading/device_words.h"
#include "grading/grade.h"
#include "grading/traffic.h"
#include "grading/words.h"

#include <algorithm>

namespace grading {
namespace {

using model::TestResult;
using model::Verdict;

/// A thread that does one thing wrong does it in every test; so many places are worth naming in one.
constexpr std::size_t max_findings_of_a_test = 8;

void append(emulator::Trace& all, emulator::Trace more) {
    all.traced = all.traced || more.traced;
    std::ranges::move(more.findings, std::back_inserter(all.findings));
    std::ranges::move(more.kernels, std::back_inserter(all.kernels));
}

using Cases = std::map<std::string, const events::CaseEnded*>;

/// What a call does to its caller is told after what its kernels do wrong.
bool breaks_promise(const emulator::Finding& finding) {
    return finding.kind == model::FindingKind::call_waits ||
           finding.kind == model::FindingKind::wrong_stream ||
           finding.kind == model::FindingKind::not_given_back ||
           finding.kind == model::FindingKind::variable_written ||
           finding.kind == model::FindingKind::padding_written ||
           finding.kind == model::FindingKind::error_taken;
}

std::vector<emulator::Finding> findings_of(const std::string& test, const Traces& traces,
                                           const Traces& plain) {
    for (const Traces* each : {&traces, &plain})
        if (const auto found = each->find(test); found != each->end() && !found->second.findings.empty()) {
            std::vector<emulator::Finding> findings = found->second.findings;
            std::ranges::stable_sort(findings, {}, breaks_promise);
            return findings;
        }
    return {};
}

/// One sentence a place: what one access does wrong may be seen as two kinds of trouble.
std::vector<model::SanitizerFinding> in_words(const std::vector<emulator::Finding>& findings,
                                              const std::string& test,
                                              const std::vector<std::string>& files) {
    std::vector<model::SanitizerFinding> list;
    for (const emulator::Finding& finding : findings)
        if (list.size() < max_findings_of_a_test) list.push_back(describe(finding, test, files));
    return list;
}

void fail(TestResult& result, Verdict verdict, std::string message) {
    result.verdict = verdict;
    result.message = std::move(message);
    result.points = 0;
}

const model::TestSpec* spec_of(const model::Problem& problem, const std::string& name) {
    const auto found = std::ranges::find(problem.tests, name, &model::TestSpec::name);
    return found == problem.tests.end() ? nullptr : &*found;
}

/// What the traced run says of a test, beside what its kernels were seen to do.
void add_outcome(const model::Limits& limits, const events::CaseEnded* ended, bool traced,
                 TestResult& result) {
    if (result.verdict != Verdict::accepted) return;
    if (ended == nullptr) return fail(result, Verdict::judge_error, "the traced build did not run this test");
    if (ended->left_out) return;
    if (ended->skipped)
        return fail(result, Verdict::skipped,
                    "not run in the traced build: earlier calls used up the time limit of all tests");
    if (!ended->findings.empty()) {
        const events::Finding& first = ended->findings.front();
        result.mismatch = first.mismatch;
        return fail(result, verdict_of(first, limits),
                    words_for(first, limits) +
                        "\nthis was seen in the traced build; the other one behaved differently");
    }
    if (!traced)
        fail(result, Verdict::run_time_error,
             "the traced build did not report on its kernels\nthey may have written over memory that is not "
             "theirs");
}

} // namespace

Traces read_traces(const events::DriverRun& run) {
    Traces traces;
    for (const events::Event& event : run.events) {
        const auto* ended = std::get_if<events::CaseEnded>(&event);
        if (ended == nullptr) continue;
        std::string_view text = ended->observed;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            if (auto trace = emulator::parse_trace(text.substr(0, end)))
                append(traces[ended->name], std::move(*trace));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }
    return traces;
}

emulator::Trace joined(const Traces& traces) {
    emulator::Trace all;
    for (const auto& [test, trace] : traces)
        append(all, trace);
    return all;
}

std::vector<model::SanitizerFinding> apply_trace(const model::Problem& problem, const CheckedEvidence& traced,
                                                 const Traces& judged, std::vector<TestResult>& results) {
    const Cases cases = ended_cases(traced);
    const Traces& traces = traced.traces;
    std::vector<model::SanitizerFinding> all;
    for (TestResult& result : results) {
        if (result.verdict == Verdict::judge_error || result.verdict == Verdict::not_implemented) continue;
        const auto found_case = cases.find(result.name);
        const events::CaseEnded* ended = found_case == cases.end() ? nullptr : found_case->second;
        const auto trace = traces.find(result.name);
        add_outcome(traced.limits, ended, trace != traces.end() && trace->second.traced, result);

        std::vector<model::SanitizerFinding> found =
            in_words(findings_of(result.name, traces, judged), result.name, problem.files);
        if (!found.empty()) {
            // A test that never ends or prints too much keeps its verdict; what was found is told beside it.
            if (result.verdict == Verdict::accepted || result.verdict == Verdict::wrong_answer ||
                result.verdict == Verdict::run_time_error)
                fail(result, Verdict::run_time_error, message_of(found.front()));
        } else if (const model::TestSpec* spec = spec_of(problem, result.name);
                   spec != nullptr && spec->traffic && result.verdict == Verdict::accepted &&
                   trace != traces.end()) {
            found = over_limits(*spec, trace->second, ended == nullptr ? 0 : ended->minimum_traffic,
                                problem.files);
            if (!found.empty()) fail(result, Verdict::wrong_answer, message_of(found.front()));
        }
        std::ranges::move(found, std::back_inserter(all));
    }
    return all;
}

} // namespace grading
