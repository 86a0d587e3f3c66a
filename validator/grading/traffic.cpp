#include "grading/traffic.h"

#include "grading/device.h"
#include "grading/device_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace grading {
namespace {

using model::FindingKind;
using model::KernelTraffic;
using model::LineTraffic;

constexpr std::size_t max_lines = 40;
constexpr std::size_t max_kernels = 16;

struct Sums {
    std::uint64_t moved = 0;
    std::uint64_t useful = 0;
    std::uint64_t minimum = 0;
    std::uint64_t bank_conflicts = 0;
};

Sums sums_of(const emulator::Trace& trace) {
    Sums sums;
    for (const KernelTraffic& kernel : trace.kernels) {
        sums.moved += kernel.bytes_moved;
        sums.useful += kernel.useful_bytes;
        sums.minimum += kernel.minimum_bytes;
        sums.bank_conflicts += kernel.bank_conflicts;
    }
    return sums;
}

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The line of all kernels that costs most.
struct Worst {
    const KernelTraffic* kernel = nullptr;
    const LineTraffic* line = nullptr;
};

Worst worst_line(const emulator::Trace& trace, const std::function<std::uint64_t(const LineTraffic&)>& cost) {
    Worst worst;
    std::uint64_t most = 0;
    for (const KernelTraffic& kernel : trace.kernels)
        for (const LineTraffic& line : kernel.lines)
            if (cost(line) > most) {
                most = cost(line);
                worst = {&kernel, &line};
            }
    return worst;
}

model::SanitizerFinding finding(FindingKind kind, const model::TestSpec& test, std::string text,
                                const Worst& worst, const std::string& detail,
                                const std::vector<std::string>& files) {
    model::SanitizerFinding result{.kind = kind, .test = test.name, .text = std::move(text)};
    if (worst.line == nullptr) return result;
    if (!place_of(worst.line->where, files).empty()) {
        result.file = worst.line->where.file;
        result.line = worst.line->where.line;
    }
    result.text += fmt::format("\nthis line of {} costs most: {}", worst.kernel->kernel, detail);
    return result;
}

double per_request(std::uint64_t count, const LineTraffic& line) {
    return line.requests == 0 ? 0 : static_cast<double>(count) / static_cast<double>(line.requests);
}

std::string sector_words(const LineTraffic* line) {
    if (line == nullptr) return "";
    return fmt::format("{:.3g} sectors of {} bytes for {:.3g} bytes that a warp asks for",
                       per_request(line->sectors, *line), model::sector_bytes,
                       per_request(line->useful_bytes, *line));
}

/// A place that is none of the learner's is not shown.
void hide_foreign(model::Location& where, const std::vector<std::string>& files) {
    if (place_of(where, files).empty()) where = {};
}

KernelTraffic row_of(KernelTraffic kernel, const std::string& test, const std::vector<std::string>& files) {
    kernel.test = test;
    hide_foreign(kernel.launched, files);
    if (kernel.lines.size() > max_lines) kernel.lines.resize(max_lines);
    for (LineTraffic& line : kernel.lines)
        hide_foreign(line.where, files);
    return kernel;
}

} // namespace

std::vector<model::SanitizerFinding> over_limits(const model::TestSpec& test, const emulator::Trace& trace,
                                                 std::uint64_t minimum,
                                                 const std::vector<std::string>& files) {
    const model::TrafficLimits& limits = *test.traffic;
    const Sums sums = sums_of(trace);
    std::vector<model::SanitizerFinding> list;
    if (limits.coalescing_at_least && share(sums.useful, sums.moved) < *limits.coalescing_at_least) {
        const Worst worst = worst_line(trace, &LineTraffic::wasted_bytes);
        list.push_back(
            finding(FindingKind::uncoalesced, test,
                    fmt::format("Of the bytes that the kernels move, {:.1f} % were asked for; at least "
                                "{:.1f} % are needed here.",
                                100 * share(sums.useful, sums.moved), 100 * *limits.coalescing_at_least),
                    worst, sector_words(worst.line), files));
    }
    const std::uint64_t least = minimum != 0 ? minimum : sums.minimum;
    if (limits.moved_at_most &&
        static_cast<double>(sums.moved) > *limits.moved_at_most * static_cast<double>(least)) {
        const Worst worst = worst_line(trace, &LineTraffic::moved_bytes);
        list.push_back(
            finding(FindingKind::too_much_traffic, test,
                    fmt::format("The kernels move {} bytes, {:.3g} times the {} that are enough; {:.3g} "
                                "times is allowed here.",
                                sums.moved, static_cast<double>(sums.moved) / static_cast<double>(least),
                                least, *limits.moved_at_most),
                    worst, sector_words(worst.line), files));
    }
    if (limits.bank_conflicts_at_most && sums.bank_conflicts > *limits.bank_conflicts_at_most) {
        const Worst worst = worst_line(trace, &LineTraffic::bank_conflicts);
        list.push_back(
            finding(FindingKind::bank_conflicts, test,
                    fmt::format("Shared memory is passed over {} times more often than needed, because "
                                "threads of a warp use different words of one bank; {} is allowed here.",
                                sums.bank_conflicts, *limits.bank_conflicts_at_most),
                    worst,
                    worst.line == nullptr ? ""
                                          : fmt::format("{:.3g} extra passes each time",
                                                        per_request(worst.line->bank_conflicts, *worst.line)),
                    files));
    }
    return list;
}

std::vector<KernelTraffic> traffic_table(const model::Problem& problem, const Traces& traces) {
    std::vector<KernelTraffic> table;
    // Where a test limits traffic its sizes were chosen for it; the others come after it.
    for (const bool limited : {true, false}) {
        const std::size_t settled = table.size();
        for (const model::TestSpec& test : problem.tests) {
            const auto trace = traces.find(test.name);
            if (test.visibility != model::Visibility::visible || trace == traces.end() ||
                test.traffic.has_value() != limited)
                continue;
            for (const KernelTraffic& kernel : trace->second.kernels) {
                const auto known = std::ranges::find(table, kernel.kernel, &KernelTraffic::kernel);
                if (known == table.end() && table.size() < max_kernels)
                    table.push_back(row_of(kernel, test.name, problem.files));
                else if (known - table.begin() >= static_cast<std::ptrdiff_t>(settled) &&
                         known != table.end() && known->bytes_moved < kernel.bytes_moved)
                    *known = row_of(kernel, test.name, problem.files);
            }
        }
    }
    return table;
}

} // namespace grading
