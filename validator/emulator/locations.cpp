#include "emulator/locations.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace emulator {

namespace {

constexpr std::size_t max_named_offsets = 20'000;
constexpr std::size_t max_frames = 4; ///< more tell a learner nothing

template <class Visit>
void for_each_location(Trace& trace, Visit visit) {
    for (auto& finding : trace.findings) {
        visit(finding.where);
        visit(finding.other);
    }
    for (auto& kernel : trace.kernels)
        for (auto& line : kernel.lines)
            visit(line.where);
}

std::string hexadecimal(std::uint64_t v) {
    char text[20];
    const auto end = std::to_chars(text, text + sizeof text, v, 16).ptr;
    return "0x" + std::string(text, end);
}

/// "path/to/file.cu:12 (discriminator 3)"; line 0 if addr2line did not know.
Location parse_line(std::string_view text) {
    text = text.substr(0, text.find(" ("));
    const auto colon = text.rfind(':');
    Location location;
    if (colon == std::string_view::npos) return location;
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), location.line);
    location.file = text.substr(0, colon);
    return location;
}

bool belongs_to_us(const Location& location) {
    return location.file.find("/cuda_emulator/") != std::string::npos ||
           location.file.find("/emulator/include/") != std::string::npos ||
           location.file.find("/common/") != std::string::npos || // the views that contracts give
           location.file.starts_with("/usr/");
}

/// The learner's frames of an instruction, the innermost first.
using Frames = std::vector<Location>;

/// Offsets to frames. addr2line -a -i prints the offset, then the innermost frame and those it is inlined
/// into.
std::map<std::uint64_t, Frames> parse_output(std::string_view output) {
    std::map<std::uint64_t, Frames> places;
    Frames* current = nullptr;
    while (!output.empty()) {
        const auto end = std::min(output.find('\n'), output.size());
        const std::string_view line = output.substr(0, end);
        output.remove_prefix(std::min(end + 1, output.size()));
        std::uint64_t offset = 0;
        if (line.starts_with("0x")) {
            std::from_chars(line.data() + 2, line.data() + line.size(), offset, 16);
            current = &places[offset];
        } else if (current != nullptr && current->size() < max_frames) {
            Location place = parse_line(line);
            if (place.line == 0 || belongs_to_us(place)) continue;
            place.file = place.file.substr(place.file.rfind('/') + 1);
            current->push_back(std::move(place));
        }
    }
    return places;
}

/// A kernel is inlined into its launch, which is not a call that the learner wrote. Only a trace knows where
/// the launches are: without one no caller can be told.
bool is_launch(const Trace& trace, const Finding& finding, const Location& place) {
    return trace.kernels.empty() ||
           std::any_of(trace.kernels.begin(), trace.kernels.end(), [&](const KernelTraffic& kernel) {
               return kernel.kernel == finding.kernel && kernel.launched.line == place.line;
           });
}

/// Instructions of one line that do the same kind of access become one row.
void add_up_lines(KernelTraffic& kernel) {
    std::vector<LineTraffic> sums;
    for (const auto& line : kernel.lines) {
        const auto same = std::find_if(sums.begin(), sums.end(), [&](const LineTraffic& other) {
            return line.where.line != 0 && other.where == line.where && other.kind == line.kind &&
                   other.shared == line.shared && other.bytes_per_lane == line.bytes_per_lane;
        });
        if (same == sums.end()) {
            sums.push_back(line);
            continue;
        }
        same->requests += line.requests;
        same->accesses += line.accesses;
        same->sectors += line.sectors;
        same->useful_bytes += line.useful_bytes;
        same->wavefronts += line.wavefronts;
        same->bank_conflicts += line.bank_conflicts;
    }
    std::stable_sort(sums.begin(), sums.end(), [](const LineTraffic& a, const LineTraffic& b) {
        return std::tie(a.where.file, a.where.line) < std::tie(b.where.file, b.where.line);
    });
    kernel.lines = std::move(sums);
}

} // namespace

std::vector<std::string> addr2line_arguments(const Trace& trace, const std::string& program) {
    std::vector<std::uint64_t> offsets;
    Trace copy = trace;
    for_each_location(copy, [&](Location& l) {
        if (l.line == 0 && l.offset != 0) offsets.push_back(l.offset);
    });
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    if (offsets.empty()) return {};
    // More than a source of 1 MiB has; a trace is the word of a submission, and an argument list has an end.
    offsets.resize(std::min(offsets.size(), max_named_offsets));
    std::vector<std::string> arguments{"addr2line", "-a", "-i", "-e", program};
    for (const auto offset : offsets)
        arguments.push_back(hexadecimal(offset));
    return arguments;
}

void apply_locations(Trace& trace, std::string_view output) {
    const auto places = parse_output(output);
    for (auto& finding : trace.findings) {
        const auto found = places.find(finding.where.offset);
        if (finding.where.line != 0 || found == places.end()) continue;
        for (std::size_t i = 1; i < found->second.size(); ++i)
            if (found->second[i] != found->second[i - 1] && !is_launch(trace, finding, found->second[i]))
                finding.callers.push_back(found->second[i]);
    }
    for_each_location(trace, [&](Location& l) {
        const auto found = places.find(l.offset);
        if (l.line == 0 && found != places.end() && !found->second.empty()) l = found->second.front();
    });
    for (auto& kernel : trace.kernels)
        add_up_lines(kernel);
}

} // namespace emulator
