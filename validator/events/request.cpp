#include "events/request.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace events {
namespace {

using Json = nlohmann::json;

Json to_json(const std::vector<Suspect>& suspects) {
    Json rows = Json::array();
    for (const Suspect& suspect : suspects)
        rows.push_back(
            {{"mistake", suspect.mistake}, {"always", suspect.always}, {"sometimes", suspect.sometimes}});
    return rows;
}

std::vector<Suspect> to_suspects(const Json& json) {
    std::vector<Suspect> suspects;
    for (const Json& row : json)
        suspects.push_back({row.at("mistake"), row.at("always").get<std::vector<std::string>>(),
                            row.at("sometimes").get<std::vector<std::string>>()});
    return suspects;
}

Json to_json(const Sweep& sweep) {
    Json rows = Json::array();
    for (const SweepRow& row : sweep.rows)
        rows.push_back({{"mistake", row.mistake}, {"tests", row.tests}});
    return {{"first", sweep.first}, {"look", sweep.look}, {"count", sweep.count}, {"rows", rows}};
}

Sweep to_sweep(const Json& json) {
    Sweep sweep{json.at("first"), json.at("look"), json.at("count"), {}};
    for (const Json& row : json.at("rows"))
        sweep.rows.push_back({row.at("mistake"), row.at("tests").get<std::vector<std::string>>()});
    return sweep;
}

Json to_json(const model::Launcher& launcher) {
    return {{"program", launcher.program}, {"arguments", launcher.arguments}, {"files", launcher.files}};
}

model::Launcher to_launcher(const Json& json) {
    return {json.at("program"), json.at("arguments").get<std::vector<std::string>>(),
            json.at("files").get<std::vector<std::string>>()};
}

} // namespace

bool Suspect::may_fail(const std::string& test) const {
    return std::ranges::find(always, test) != always.end() ||
           std::ranges::find(sometimes, test) != sometimes.end();
}

std::string write_request(const Request& request) {
    const model::Limits& limits = request.limits;
    return nlohmann::json{{"seed", request.seed},
                          {"tests", request.tests},
                          {"implementation", request.implementation},
                          {"check", model::name_of(model::checks, request.check)},
                          {"one_worker", request.one_worker},
                          {"without_large", request.without_large},
                          {"thorough", request.thorough},
                          {"timed", request.timed},
                          {"full_size", request.full_size},
                          {"coverage", request.coverage},
                          {"emulated", request.emulated},
                          {"controlled", request.controlled},
                          {"threaded", request.threaded},
                          {"gpu_files", request.gpu_files},
                          {"launcher", to_json(request.launcher)},
                          {"slots", request.slots},
                          {"record", request.record},
                          {"mistakes", to_json(request.mistakes)},
                          {"hunt", request.hunt},
                          {"sweep", to_json(request.sweep)},
                          {"budget_ms", request.budget.count()},
                          {"total_ms", request.total.count()},
                          {"slowdown", request.slowdown},
                          {"wall_ms", limits.wall.count()},
                          {"cpu_s", limits.cpu.count()},
                          {"memory_mib", limits.memory_mib},
                          {"output_kib", limits.output_kib},
                          {"threads", limits.threads},
                          {"stack_mib", limits.stack_mib}}
        .dump();
}

Request read_request(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text);
    Request request;
    request.seed = json.at("seed").get<std::uint64_t>();
    request.tests = json.at("tests").get<std::vector<std::string>>();
    request.implementation = json.at("implementation").get<std::string>();
    request.check = model::value_of(model::checks, json.at("check").get<std::string>()).value();
    request.one_worker = json.at("one_worker").get<bool>();
    request.without_large = json.at("without_large").get<bool>();
    request.thorough = json.at("thorough").get<bool>();
    request.timed = json.at("timed").get<bool>();
    request.full_size = json.at("full_size").get<bool>();
    request.coverage = json.at("coverage").get<bool>();
    request.emulated = json.at("emulated").get<bool>();
    request.controlled = json.at("controlled").get<bool>();
    request.threaded = json.at("threaded").get<bool>();
    request.gpu_files = json.at("gpu_files").get<std::vector<std::string>>();
    request.launcher = to_launcher(json.at("launcher"));
    request.slots = json.at("slots").get<bool>();
    request.record = json.at("record").get<bool>();
    request.mistakes = to_suspects(json.at("mistakes"));
    request.hunt = json.at("hunt").get<std::vector<std::string>>();
    request.sweep = to_sweep(json.at("sweep"));
    request.budget = std::chrono::milliseconds(json.at("budget_ms").get<long>());
    request.total = std::chrono::milliseconds(json.at("total_ms").get<long>());
    request.slowdown = json.at("slowdown").get<int>();
    request.limits.wall = std::chrono::milliseconds(json.at("wall_ms").get<long>());
    request.limits.cpu = std::chrono::seconds(json.at("cpu_s").get<long>());
    request.limits.memory_mib = json.at("memory_mib").get<std::uint64_t>();
    request.limits.output_kib = json.at("output_kib").get<std::uint64_t>();
    request.limits.threads = json.at("threads").get<std::uint64_t>();
    request.limits.stack_mib = json.at("stack_mib").get<std::uint64_t>();
    return request;
}

} // namespace events
