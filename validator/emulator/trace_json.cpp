#include "emulator/trace_json.h"

#include <nlohmann/json.hpp>

namespace emulator {

using nlohmann::ordered_json;

namespace {

template <class Kind, std::size_t N>
Kind kind_named(const model::Names<Kind, N>& names, const std::string& name) {
    if (const auto kind = model::value_of(names, name)) return *kind;
    throw std::invalid_argument("unknown kind");
}

ordered_json write(const Location& l) {
    return {{"file", l.file}, {"line", l.line}, {"offset", l.offset}};
}
Location read_location(const ordered_json& j) {
    return {j.at("file"), j.at("line"), j.at("offset")};
}

ordered_json write(const ThreadId& t) {
    return {{"block", t.block}, {"thread", t.thread}};
}
ThreadId read_thread(const ordered_json& j) {
    return {j.at("block"), j.at("thread")};
}

ordered_json write(const Finding& f) {
    return {{"kind", name(f.kind)},
            {"message", f.message},
            {"kernel", f.kernel},
            {"thread", write(f.thread)},
            {"where", write(f.where)},
            {"other", write(f.other)},
            {"other_thread", write(f.other_thread)},
            {"in_one_warp", f.in_one_warp},
            {"count", f.count}};
}
Finding read_finding(const ordered_json& j) {
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

ordered_json write(const LineTraffic& l) {
    return {{"where", write(l.where)},    {"kind", name(l.kind)},
            {"shared", l.shared},         {"bytes_per_lane", l.bytes_per_lane},
            {"requests", l.requests},     {"accesses", l.accesses},
            {"sectors", l.sectors},       {"useful_bytes", l.useful_bytes},
            {"wavefronts", l.wavefronts}, {"bank_conflicts", l.bank_conflicts}};
}
LineTraffic read_line(const ordered_json& j) {
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

ordered_json write(const KernelTraffic& k) {
    ordered_json lines = ordered_json::array();
    for (const auto& line : k.lines)
        lines.push_back(write(line));
    return {{"kernel", k.kernel},
            {"launched", write(k.launched)},
            {"launches", k.launches},
            {"threads", k.threads},
            {"sectors", k.sectors},
            {"bytes_moved", k.bytes_moved},
            {"useful_bytes", k.useful_bytes},
            {"minimum_bytes", k.minimum_bytes},
            {"bank_conflicts", k.bank_conflicts},
            {"lines", lines}};
}
KernelTraffic read_kernel(const ordered_json& j) {
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

ordered_json write(const Counters& c) {
    return {{"launches", c.launches},
            {"synchronizations", c.synchronizations},
            {"allocations", c.allocations},
            {"frees", c.frees},
            {"default_stream_work", c.default_stream_work}};
}
Counters read_counters(const ordered_json& j) {
    return {j.at("launches"), j.at("synchronizations"), j.at("allocations"), j.at("frees"),
            j.at("default_stream_work")};
}

constexpr const char* schema = "engine.trace/1";

} // namespace

std::string to_json(const Trace& trace) {
    ordered_json findings = ordered_json::array(), kernels = ordered_json::array();
    for (const auto& finding : trace.findings)
        findings.push_back(write(finding));
    for (const auto& kernel : trace.kernels)
        kernels.push_back(write(kernel));
    const ordered_json json{{"schema", schema},
                            {"traced", trace.traced},
                            {"findings", findings},
                            {"kernels", kernels},
                            {"counters", write(trace.counters)}};
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::optional<Trace> parse_trace(std::string_view json) {
    try {
        const auto j = ordered_json::parse(json);
        if (j.at("schema") != schema) return std::nullopt;
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
