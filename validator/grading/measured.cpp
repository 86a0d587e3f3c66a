#include "grading/measured.h"

#include "grading/words.h"

#include <algorithm>
#include <variant>

namespace grading {
namespace {

/// Of numbers in order, with `share` of them below.
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

model::CallTime time_of(const events::CaseEnded& ended) {
    std::vector<double> times = ended.times_us;
    std::ranges::sort(times);
    return {.calls = times.size(),
            .bytes = ended.minimum_traffic / times.size(),
            .us = quantile(times, 0.5),
            .spread_us = (quantile(times, 0.75) - quantile(times, 0.25)) / 2};
}

const events::CaseEnded* ended_case(const ProgramEvidence& program, const std::string& name) {
    if (!program.run) return nullptr;
    for (const events::Event& event : program.run->events)
        if (const auto* ended = std::get_if<events::CaseEnded>(&event);
            ended != nullptr && ended->name == name)
            return ended;
    return nullptr;
}

/// Why a case has no numbers; empty where it has.
std::string trouble_of(const events::CaseEnded* ended, const CheckedEvidence& program) {
    if (ended == nullptr)
        return "the run stopped before this call" +
               (program.run && !program.run->trouble.empty() ? ": " + program.run->trouble : "");
    if (ended->skipped) return "not run: earlier calls used up the time limit";
    return ended->findings.empty() ? "" : words_for(ended->findings.front(), program.limits);
}

void count(const CheckedEvidence& traced, const events::CaseEnded& ended, model::MeasuredCall& call) {
    call.minimum_bytes = ended.minimum_traffic;
    const auto trace = traced.traces.find(ended.name);
    if (trace == traced.traces.end()) return;
    for (const model::KernelTraffic& kernel : trace->second.kernels) {
        call.kernels.push_back(kernel.kernel);
        call.moved_bytes += kernel.bytes_moved;
    }
}

} // namespace

std::vector<model::MeasuredCall> measured_calls(const CheckedEvidence& traced,
                                                const CheckedEvidence* on_gpu) {
    std::vector<model::MeasuredCall> calls;
    if (!traced.run) return calls;
    for (const events::Event& event : traced.run->events) {
        const auto* started = std::get_if<events::CaseStarted>(&event);
        if (started == nullptr) continue;
        model::MeasuredCall& call = calls.emplace_back(model::MeasuredCall{.title = started->name});
        const events::CaseEnded* counted = ended_case(traced, started->name);
        call.trouble = trouble_of(counted, traced);
        if (counted != nullptr) call.function = counted->measured;
        if (!call.trouble.empty()) continue;
        count(traced, *counted, call);
        if (on_gpu == nullptr) continue;
        const events::CaseEnded* timed = ended_case(*on_gpu, started->name);
        call.trouble = trouble_of(timed, *on_gpu);
        if (!call.trouble.empty())
            call.trouble += "\nthis was seen on the GPU";
        else if (!timed->times_us.empty())
            call.time = time_of(*timed);
    }
    return calls;
}

} // namespace grading
