#include "emulator/trace_json.h"

#include <nlohmann/json.hpp>

namespace emulator {

using nlohmann::ordered_json;

namespace {

ordered_json write(const Location& l) {
    return {{"file", l.file}, {"line", l.line}, {"offset", l.offset}};
}

ordered_json write(const ThreadId& t) {
    return {{"block", t.block}, {"thread", t.thread}};
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

ordered_json write(const LineTraffic& l) {
    return {{"where", write(l.where)},    {"kind", name(l.kind)},
            {"shared", l.shared},         {"bytes_per_lane", l.bytes_per_lane},
            {"requests", l.requests},     {"accesses", l.accesses},
            {"sectors", l.sectors},       {"useful_bytes", l.useful_bytes},
            {"wavefronts", l.wavefronts}, {"bank_conflicts", l.bank_conflicts}};
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

ordered_json write(const Counters& c) {
    return {{"launches", c.launches},
            {"synchronizations", c.synchronizations},
            {"allocations", c.allocations},
            {"frees", c.frees},
            {"default_stream_work", c.default_stream_work}};
}

} // namespace

std::string to_json(const Trace& trace) {
    ordered_json findings = ordered_json::array(), kernels = ordered_json::array();
    for (const auto& finding : trace.findings)
        findings.push_back(write(finding));
    for (const auto& kernel : trace.kernels)
        kernels.push_back(write(kernel));
    const ordered_json json{{"schema", trace_schema},
                            {"traced", trace.traced},
                            {"findings", findings},
                            {"kernels", kernels},
                            {"counters", write(trace.counters)}};
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace emulator
