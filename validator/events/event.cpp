#include "events/event.h"

#include "events/mismatch_json.h"
#include "model/names.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace events {
namespace {

using Json = nlohmann::json;

using Kind = Finding::Kind;
using model::Fate;
using model::OutOfTime;

constexpr model::Names<Kind, 11> kinds{{
    {Kind::mismatch, "mismatch"},
    {Kind::assertion, "assertion"},
    {Kind::died, "died"},
    {Kind::threw, "threw"},
    {Kind::not_implemented, "not_implemented"},
    {Kind::out_of_memory, "out_of_memory"},
    {Kind::device_failed, "device_failed"},
    {Kind::overrun, "overrun"},
    {Kind::changed_input, "changed_input"},
    {Kind::left_modes, "left_modes"},
    {Kind::broken_suite, "broken_suite"},
}};
constexpr model::Names<Fate, 6> fates{{
    {Fate::exited, "exited"},
    {Fate::signalled, "signalled"},
    {Fate::timed_out, "timed_out"},
    {Fate::output_exceeded, "output_exceeded"},
    {Fate::memory_exceeded, "memory_exceeded"},
    {Fate::broke_protocol, "broke_protocol"},
}};
constexpr model::Names<OutOfTime, 5> reasons{{
    {OutOfTime::unknown, "unknown"},
    {OutOfTime::computing, "computing"},
    {OutOfTime::sleeping, "sleeping"},
    {OutOfTime::crowded, "crowded"},
    {OutOfTime::budget, "budget"},
}};

template <class Enum, std::size_t N>
Enum read(const model::Names<Enum, N>& names, const std::string& word) {
    if (const auto value = model::value_of(names, word)) return *value;
    throw std::runtime_error("unknown word " + word);
}

Json to_json(const Finding& finding) {
    Json json{{"kind", name_of(kinds, finding.kind)},
              {"function", finding.function},
              {"text", finding.text},
              {"type", finding.type},
              {"fate", name_of(fates, finding.fate)},
              {"kernel", finding.kernel},
              {"frames", finding.frames},
              {"context", finding.context},
              {"call", finding.call},
              {"call_number", finding.call_number},
              {"argument", finding.argument},
              {"access", name_of(model::accesses, finding.access)},
              {"code", finding.code},
              {"before", finding.before},
              {"untouched", finding.untouched},
              {"out_of_time", name_of(reasons, finding.out_of_time)},
              {"limit_ms", finding.limit_ms},
              {"peak_kib", finding.peak_kib}};
    if (finding.mismatch) json["mismatch"] = mismatch_json(*finding.mismatch);
    return json;
}

Finding to_finding(const Json& json) {
    Finding finding;
    finding.kind = read(kinds, json.at("kind"));
    finding.function = json.at("function");
    finding.text = json.at("text");
    finding.type = json.at("type");
    finding.fate = read(fates, json.at("fate"));
    finding.kernel = json.at("kernel");
    finding.frames = json.at("frames").get<std::vector<std::uint64_t>>();
    finding.context = json.at("context");
    finding.call = json.at("call");
    finding.call_number = json.at("call_number");
    finding.argument = json.at("argument");
    finding.access = read(model::accesses, json.at("access"));
    finding.code = json.at("code");
    finding.before = json.at("before");
    finding.untouched = json.at("untouched");
    finding.out_of_time = read(reasons, json.at("out_of_time"));
    finding.limit_ms = json.at("limit_ms");
    finding.peak_kib = json.at("peak_kib");
    if (json.contains("mismatch")) finding.mismatch = to_mismatch(json.at("mismatch"));
    if (finding.kind == Kind::mismatch && !finding.mismatch)
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
            {"calls", event.calls},
            {"output", event.output},
            {"observed", event.observed},
            {"minimum_traffic", event.minimum_traffic},
            {"left_out", event.left_out},
            {"skipped", event.skipped},
            {"measured", event.measured},
            {"times_us", event.times_us}};
}
Json to_json(const WorkerEnded& event) {
    return {{"event", "worker"},
            {"cases", event.cases},
            {"size", event.control.size},
            {"step", event.control.step},
            {"shown", event.shown},
            {"trouble", event.trouble},
            {"before_ready", event.before_ready}};
}
Json to_json(const MistakeMatched& event) {
    return {{"event", "mistake"}, {"mistake", event.mistake}, {"tests", event.tests}, {"fails", event.fails}};
}
Json to_json(const FailuresShare& event) {
    return {{"event", "share"}, {"function", event.function}, {"says", event.says}};
}
Json to_json(const MutantEnded& event) {
    return {{"event", "mutant"},
            {"name", event.name},
            {"killed_by", event.killed_by},
            {"timed_out", event.timed_out}};
}
Json to_json(const Swept& event) {
    const Tally& tally = event.tally;
    return {{"event", "swept"},
            {"mistake", event.mistake},
            {"test", event.test},
            {"passed", tally.passed},
            {"failed", tally.failed},
            {"passed_with", tally.passed_with},
            {"failed_with", tally.failed_with},
            {"drew", tally.drew}};
}
Json to_json(const Covered& event) {
    return {{"event", "covered"},           {"function", event.function},
            {"parameter", event.parameter}, {"circumstance", event.circumstance},
            {"reached", event.reached},     {"left_out", event.left_out}};
}
Json to_json(const Probed& event) {
    return {{"event", "probed"},
            {"probe", event.probe},
            {"calls", event.calls},
            {"failed", event.failed},
            {"us", event.duration.count()}};
}
Json to_json(const RunEnded&) {
    return {{"event", "done"}};
}

Event parse(const Json& json) {
    const std::string kind = json.at("event");
    if (kind == "cases") return CasesEvent{json.at("names").get<std::vector<std::string>>()};
    if (kind == "start") return CaseStarted{json.at("name")};
    if (kind == "worker")
        return WorkerEnded{json.at("cases").get<std::vector<std::string>>(),
                           {json.at("size").get<std::uint32_t>(), json.at("step").get<std::uint32_t>()},
                           json.at("shown"),
                           json.at("trouble"),
                           json.at("before_ready")};
    if (kind == "mistake")
        return MistakeMatched{json.at("mistake"), json.at("tests").get<std::vector<std::string>>(),
                              json.at("fails").get<std::vector<std::string>>()};
    if (kind == "share") return FailuresShare{json.at("function"), json.at("says")};
    if (kind == "mutant") return MutantEnded{json.at("name"), json.at("killed_by"), json.at("timed_out")};
    if (kind == "swept")
        return Swept{json.at("mistake"),
                     json.at("test"),
                     {json.at("passed"), json.at("failed"), json.at("passed_with"), json.at("failed_with"),
                      json.at("drew")}};
    if (kind == "covered")
        return Covered{json.at("function"), json.at("parameter"), json.at("circumstance"), json.at("reached"),
                       json.at("left_out")};
    if (kind == "probed")
        return Probed{json.at("probe"), json.at("calls"), json.at("failed"),
                      std::chrono::microseconds(json.at("us").get<long long>())};
    if (kind == "done") return RunEnded{};
    if (kind != "end") throw std::runtime_error("unknown event " + kind);
    CaseEnded event{json.at("name"),
                    {},
                    std::chrono::microseconds(json.at("us").get<long long>()),
                    json.at("output"),
                    json.at("observed"),
                    json.at("minimum_traffic"),
                    json.at("left_out"),
                    json.at("skipped"),
                    json.at("measured"),
                    json.at("times_us").get<std::vector<double>>(),
                    json.at("calls")};
    for (const Json& finding : json.at("findings"))
        event.findings.push_back(to_finding(finding));
    return event;
}

/// Refuses a number that is not whole where only counts are: its conversion is undefined if it is too large.
class WholeNumbers {
  public:
    bool operator()(int, Json::parse_event_t event, const Json& value) {
        constexpr std::array<std::string_view, 5> fractions{"times_us", "expected", "got", "abs", "rel"};
        if (event == Json::parse_event_t::key)
            may_have_fraction_ =
                std::ranges::find(fractions, value.get_ref<const std::string&>()) != fractions.end();
        if (value.is_number_float() && !may_have_fraction_)
            throw std::runtime_error("a count that is not whole");
        return true;
    }

  private:
    bool may_have_fraction_ = false; ///< what belongs to the last key
};

} // namespace

std::string write_event(const Event& event) {
    const Json json = std::visit([](const auto& each) { return to_json(each); }, event);
    // Text of a worker's may be no UTF-8; it is carried on as replacement characters.
    return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

Event read_event(std::string_view line) {
    try {
        return parse(Json::parse(line, WholeNumbers()));
    } catch (const Json::exception& error) {
        throw std::runtime_error(error.what());
    }
}

} // namespace events
