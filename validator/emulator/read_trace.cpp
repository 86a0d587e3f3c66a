#include "emulator/trace_json.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace emulator {

/// Not ordered_json, which compares each key of an object with all before it: a text of a megabyte would take
/// half a minute.
using nlohmann::json;

namespace {

template <class Kind, std::size_t N>
Kind kind_named(const model::Names<Kind, N>& names, const std::string& name) {
    if (const auto kind = model::value_of(names, name)) return *kind;
    throw std::invalid_argument("unknown kind");
}

/// A trace has whole numbers only. The conversion of another one is undefined if it is too large.
bool is_whole(int, json::parse_event_t, const json& value) {
    if (value.is_number_float()) throw std::invalid_argument("a number that is not whole");
    return true;
}

Location read_location(const json& j) {
    return {j.at("file"), j.at("line"), j.at("offset")};
}

ThreadId read_thread(const json& j) {
    return {j.at("block"), j.at("thread")};
}

Finding read_finding(const json& j) {
    return {.kind = kind_named(model::finding_kinds, j.at("kind")),
            .message = j.at("message"),
            .kernel = j.at("kernel"),
            .thread = read_thread(j.at("thread")),
            .where = read_location(j.at("where")),
            .other = read_location(j.at("other")),
            .other_thread = read_thread(j.at("other_thread")),
            .in_one_warp = j.at("in_one_warp"),
            .count = j.at("count")};
}

LineTraffic read_line(const json& j) {
    return {.where = read_location(j.at("where")),
            .kind = kind_named(model::access_kinds, j.at("kind")),
            .shared = j.at("shared"),
            .bytes_per_lane = j.at("bytes_per_lane"),
            .requests = j.at("requests"),
            .accesses = j.at("accesses"),
            .sectors = j.at("sectors"),
            .useful_bytes = j.at("useful_bytes"),
            .wavefronts = j.at("wavefronts"),
            .bank_conflicts = j.at("bank_conflicts")};
}

KernelTraffic read_kernel(const json& j) {
    KernelTraffic k{.kernel = j.at("kernel"),
                    .test = {},
                    .launched = read_location(j.at("launched")),
                    .launches = j.at("launches"),
                    .threads = j.at("threads"),
                    .sectors = j.at("sectors"),
                    .bytes_moved = j.at("bytes_moved"),
                    .useful_bytes = j.at("useful_bytes"),
                    .minimum_bytes = j.at("minimum_bytes"),
                    .bank_conflicts = j.at("bank_conflicts"),
                    .lines = {}};
    for (const auto& line : j.at("lines"))
        k.lines.push_back(read_line(line));
    return k;
}

Counters read_counters(const json& j) {
    return {j.at("launches"), j.at("synchronizations"), j.at("allocations"), j.at("frees"),
            j.at("default_stream_work")};
}

} // namespace

std::optional<Trace> parse_trace(std::string_view text) {
    try {
        const json j = json::parse(text, is_whole);
        if (j.at("schema") != trace_schema) return std::nullopt;
        Trace trace;
        trace.traced = j.at("traced");
        for (const auto& finding : j.at("findings"))
            trace.findings.push_back(read_finding(finding));
        for (const auto& kernel : j.at("kernels"))
            trace.kernels.push_back(read_kernel(kernel));
        trace.counters = read_counters(j.at("counters"));
        return trace;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace emulator
