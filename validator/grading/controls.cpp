#include "grading/controls.h"

#include "emulator/trace_json.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace grading {
namespace {

using events::WorkerEnded;
using model::FindingKind;

bool overflow_was_named(const model::Control& control, const std::string& report) {
    const auto says = [&](const std::string& words) { return report.find(words) != std::string::npos; };
    return says("AddressSanitizer: heap-buffer-overflow") && says("WRITE of size 1 ") &&
           says(fmt::format("is located {} bytes ", control.step)) &&
           says(fmt::format(" {}-byte region", control.size));
}

/// The sectors that each warp of the control asks for: those of its lanes' values, and the one that all
/// write.
std::uint64_t sectors_of(const model::Control& control) {
    constexpr std::uint64_t warp = 32;
    std::uint64_t sectors = 0;
    for (std::uint64_t first = 0; first < control.size; first += warp) {
        std::set<std::uint64_t> read;
        for (std::uint64_t lane = first; lane < std::min<std::uint64_t>(first + warp, control.size); ++lane)
            read.insert(lane * control.step * sizeof(float) / model::sector_bytes);
        sectors += read.size() + 1;
    }
    return sectors;
}

bool race_was_seen(const model::Control& control, const std::string& text) {
    const auto trace = emulator::parse_trace(text);
    return trace && trace->kernels.size() == 1 && trace->kernels[0].kernel == model::control_kernel &&
           trace->kernels[0].threads == control.size && trace->kernels[0].sectors == sectors_of(control) &&
           std::ranges::any_of(trace->findings, [](const emulator::Finding& finding) {
               return finding.kind == FindingKind::race_in_block && finding.kernel == model::control_kernel;
           });
}

/// The hexadecimal number after `words`.
std::uint64_t address_after(const std::string& report, std::string_view words) {
    const std::size_t at = report.find(words);
    if (at == std::string::npos) return 0;
    std::uint64_t address = 0;
    const char* digits = report.data() + at + words.size();
    std::from_chars(digits, report.data() + report.size(), address, 16);
    return address;
}

bool race_was_named(const model::Control& control, const std::string& report) {
    const std::uint64_t block =
        address_after(report, fmt::format("Location is heap block of size {} at 0x", control.size));
    return report.find("ThreadSanitizer: data race") != std::string::npos && block != 0 &&
           address_after(report, "Write of size 1 at 0x") == block + control.step;
}

bool shows_control(model::Check check, const WorkerEnded& ended) {
    switch (check) {
    case model::Check::trace: return race_was_seen(ended.control, ended.shown);
    case model::Check::races: return race_was_named(ended.control, ended.shown);
    default: return overflow_was_named(ended.control, ended.shown);
    }
}

void add(const events::DriverRun& run, model::Check check, std::set<std::string>& names) {
    for (const events::Event& event : run.events)
        if (const auto* ended = std::get_if<WorkerEnded>(&event);
            ended != nullptr && !shows_control(check, *ended))
            names.insert(ended->cases.begin(), ended->cases.end());
}

void remove_repeated(const events::DriverRun& run, std::set<std::string>& names) {
    for (const events::Event& event : run.events)
        if (const auto* ended = std::get_if<events::CaseEnded>(&event)) names.erase(ended->name);
}

} // namespace

std::set<std::string> unproven(const CheckedEvidence& checked) {
    std::set<std::string> names;
    if (checked.run) add(*checked.run, checked.check, names);
    if (!checked.alone) return names;
    remove_repeated(*checked.alone, names);
    add(*checked.alone, checked.check, names);
    return names;
}

void refuse_unproven(const CheckedEvidence& checked, std::vector<model::TestResult>& results) {
    const std::set<std::string> names = unproven(checked);
    for (model::TestResult& result : results) {
        if (result.verdict != model::Verdict::accepted || !names.contains(result.name)) continue;
        result.verdict = model::Verdict::run_time_error;
        result.points = 0;
        result.message = fmt::format(
            "not proven: the {} build ended without the controls that show that it was still observed\n"
            "your program must not end, change or replace what checks it",
            checked.check == model::Check::trace ? "traced" : "checked");
    }
}

} // namespace grading
