#include "coursework/assignment.h"

#include "catalogue/document.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace coursework {
namespace {

using catalogue::Document;
using catalogue::Json;
using catalogue::Pointer;

std::vector<AssignedProblem> problems_of(const Document& document) {
    std::vector<AssignedProblem> problems;
    std::set<std::string> ids;
    const Json& list = document.content.at("problems");
    for (std::size_t i = 0; i < list.size(); ++i) {
        problems.push_back({list[i].at("id").get<std::string>(), list[i].value("weight", 1.0)});
        if (!ids.insert(problems.back().id).second)
            document.fail(Pointer("/problems") / i / "id",
                          "is assigned already (got " + catalogue::cited(list[i].at("id")) + ")");
    }
    return problems;
}

std::optional<Instant> deadline_of(const Document& document) {
    const auto text = document.content.find("deadline");
    const std::string zone = document.content.value("time_zone", "UTC");
    std::optional<Instant> deadline;
    try {
        deadline =
            local_time(text == document.content.end() ? "1970-01-01T00:00" : text->get<std::string>(), zone);
    } catch (const std::runtime_error&) {
        document.fail(Pointer("/time_zone"),
                      "is not a time zone that this machine knows, as Europe/Berlin (got " +
                          catalogue::cited(zone) + ")");
    }
    if (!deadline)
        document.fail(Pointer("/deadline"), "must be a time that exists in the time zone " + zone +
                                                ", as 2026-10-25T23:59 (got " + catalogue::cited(*text) +
                                                ")");
    if (text == document.content.end()) return std::nullopt;
    return deadline;
}

LatePolicy late_of(const Json& content) {
    const Json late = content.value("late", Json::object());
    LatePolicy policy;
    policy.grace = std::chrono::minutes(late.value("grace_minutes", 0));
    policy.percent_per_day = late.value("percent_per_day", 0.0);
    if (late.contains("max_days")) policy.max_days = late.at("max_days").get<int>();
    return policy;
}

} // namespace

Assignment read_assignment(const catalogue::Source& source, const catalogue::Schema& schema) {
    const Document document = catalogue::parse(source);
    schema.check(document);
    const Json& content = document.content;
    Assignment assignment;
    assignment.title = content.value("title", "");
    assignment.problems = problems_of(document);
    assignment.deadline = deadline_of(document);
    assignment.late = late_of(content);
    assignment.counts = content.value("counts", "last") == "best" ? Counts::best : Counts::last;
    assignment.questions_percent = content.value("questions_percent", 0.0);
    assignment.thorough = content.value("depth", "graded") == "thorough";
    assignment.seeding =
        content.value("seeds", "common") == "per-student" ? Seeding::per_student : Seeding::common;
    assignment.on_gpu = content.value("device", "emulated") == "cuda";
    if (content.contains("seed")) assignment.seed = content.at("seed").get<std::uint64_t>();
    if (content.contains("cpu_seconds"))
        assignment.cpu = std::chrono::seconds(content.at("cpu_seconds").get<int>());
    return assignment;
}

} // namespace coursework
