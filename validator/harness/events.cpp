#include "harness/events.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace harness {
namespace {

using Json = nlohmann::json;

/// JSON has no infinity; a text stands for it.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json("inf");
}
double number(const Json& json) {
    return json.is_number() ? json.get<double>() : std::numeric_limits<double>::infinity();
}

Json to_json(const model::Mismatch& mismatch) {
    return {{"what", mismatch.what},
            {"index", mismatch.index},
            {"expected", mismatch.expected},
            {"got", mismatch.got},
            {"abs", number(mismatch.worst_abs)},
            {"rel", number(mismatch.worst_rel)},
            {"different", mismatch.different},
            {"total", mismatch.total}};
}

model::Mismatch to_mismatch(const Json& json) {
    return {json.at("what"),        json.at("index").get<std::vector<std::uint64_t>>(),
            json.at("expected"),    json.at("got"),
            number(json.at("abs")), number(json.at("rel")),
            json.at("different"),   json.at("total")};
}

Json to_json(const Finding& finding) {
    Json json{{"kind", static_cast<int>(finding.kind)},
              {"function", finding.function},
              {"text", finding.text},
              {"type", finding.type},
              {"kernel", finding.kernel},
              {"context", finding.context},
              {"argument", finding.argument},
              {"code", finding.code},
              {"before", finding.before},
              {"untouched", finding.untouched},
              {"peak_kib", finding.peak_kib}};
    if (finding.mismatch) json["mismatch"] = to_json(*finding.mismatch);
    return json;
}

Finding to_finding(const Json& json) {
    const int kind = json.at("kind");
    if (kind < 0 || kind > static_cast<int>(Finding::Kind::broken_suite))
        throw std::runtime_error("unknown finding");
    Finding finding;
    finding.kind = static_cast<Finding::Kind>(kind);
    finding.function = json.at("function");
    finding.text = json.at("text");
    finding.type = json.at("type");
    finding.kernel = json.at("kernel");
    finding.context = json.at("context");
    finding.argument = json.at("argument");
    finding.code = json.at("code");
    finding.before = json.at("before");
    finding.untouched = json.at("untouched");
    finding.peak_kib = json.at("peak_kib");
    if (json.contains("mismatch")) finding.mismatch = to_mismatch(json.at("mismatch"));
    if (finding.kind == Finding::Kind::mismatch && !finding.mismatch)
        throw std::runtime_error("a mismatch without its values");
    return finding;
}

Json to_json(const CasesEvent& event) {
    return {{"event", "cases"}, {"names", event.names}};
}
Json to_json(const CaseStarted& event) {
    return {{"event", "start"}, {"name", event.name}};
}
Json to_json(const CaseEnded& event) {
    Json findings = Json::array();
    for (const Finding& finding : event.findings)
        findings.push_back(to_json(finding));
    return {{"event", "end"},
            {"name", event.name},
            {"findings", findings},
            {"us", event.duration.count()},
            {"output", event.output},
            {"observed", event.observed},
            {"minimum_traffic", event.minimum_traffic},
            {"left_out", event.left_out}};
}
Json to_json(const MistakeMatched& event) {
    return {{"event", "mistake"}, {"mistake", event.mistake}, {"tests", event.tests}};
}
Json to_json(const MutantEnded& event) {
    return {{"event", "mutant"},
            {"name", event.name},
            {"killed_by", event.killed_by},
            {"timed_out", event.timed_out}};
}
Json to_json(const RunEnded&) {
    return {{"event", "done"}};
}

Event parse(const Json& json) {
    const std::string kind = json.at("event");
    if (kind == "cases") return CasesEvent{json.at("names").get<std::vector<std::string>>()};
    if (kind == "start") return CaseStarted{json.at("name")};
    if (kind == "mistake")
        return MistakeMatched{json.at("mistake"), json.at("tests").get<std::vector<std::string>>()};
    if (kind == "mutant") return MutantEnded{json.at("name"), json.at("killed_by"), json.at("timed_out")};
    if (kind == "done") return RunEnded{};
    if (kind != "end") throw std::runtime_error("unknown event " + kind);
    CaseEnded event{json.at("name"),
                    {},
                    std::chrono::microseconds(json.at("us").get<long long>()),
                    json.at("output"),
                    json.at("observed"),
                    json.at("minimum_traffic"),
                    json.at("left_out")};
    for (const Json& finding : json.at("findings"))
        event.findings.push_back(to_finding(finding));
    return event;
}

} // namespace

std::string write_event(const Event& event) {
    const Json json = std::visit([](const auto& each) { return to_json(each); }, event);
    // Text of a worker's may be no UTF-8; it is carried on as replacement characters.
    return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

Event read_event(std::string_view line) {
    try {
        return parse(Json::parse(line));
    } catch (const Json::exception& error) {
        throw std::runtime_error(error.what());
    }
}

} // namespace harness
