#include "coursework/outcome.h"

#include "catalogue/document.h"

#include <cmath>
#include <stdexcept>

namespace coursework {
namespace {

using catalogue::Document;
using catalogue::Json;
using catalogue::Pointer;

/// Above 2^53 a report has it as a string.
std::uint64_t reported_seed(const Document& document) {
    const Json& seed = document.content.at("seed");
    if (seed.is_number()) return seed.get<std::uint64_t>();
    try {
        return std::stoull(seed.get<std::string>());
    } catch (const std::out_of_range&) {
        document.fail(Pointer("/seed"), "must have 64 bits (got " + catalogue::cited(seed) + ")");
    }
}

/// Points are never NaN or infinite, which reports spell as strings.
double points_at(const Document& document, const Pointer& where) {
    const Json& value = document.content.at(where);
    if (!value.is_number() || value.get<double>() < 0)
        document.fail(where, "must be a number of points (got " + catalogue::cited(value) + ")");
    return value.get<double>();
}

TestOutcome test_at(const Document& document, const Pointer& where) {
    const Json& json = document.content.at(where);
    TestOutcome test;
    test.name = json.at("name");
    test.verdict = *model::verdict_from_name(json.at("verdict").get<std::string>()); // checked by the schema
    test.points = points_at(document, where / "points");
    test.max_points = points_at(document, where / "max_points");
    test.hidden = json.at("visibility") == "hidden";
    test.message = json.value("message", "");
    test.hint = json.value("hint", "");
    if (const auto place = json.find("place"); place != json.end() && place->is_object()) {
        test.file = place->at("file");
        test.line = place->at("line");
    }
    return test;
}

CompilerMessage message_of(const Json& json) {
    const std::string explanation = json.at("explanation");
    return {json.at("file"), json.at("line"), json.at("column"), json.at("severity") == "error",
            explanation.empty() ? json.at("message").get<std::string>() : explanation};
}

} // namespace

Outcome read_outcome(const std::string& name, std::string report, const catalogue::Schema& schema) {
    // What a submission printed is in it, to the letter: control characters are no fault here.
    const Document document{name, Json::parse(report, nullptr, false)};
    if (document.content.is_discarded()) document.fail(Pointer(), "it is not JSON");
    schema.check(document);
    const Json& json = document.content;
    if (json.value("depth", "") != "graded" && json.value("depth", "") != "thorough")
        document.fail(Pointer("/depth"), "must be that of a graded run");
    Outcome outcome;
    outcome.problem = json.at("problem").at("id");
    outcome.verdict = *model::verdict_from_name(json.at("verdict").get<std::string>());
    outcome.points = points_at(document, Pointer("/score/points"));
    outcome.max_points = points_at(document, Pointer("/score/max"));
    outcome.summary = json.at("summary");
    outcome.seed = reported_seed(document);
    outcome.depth = json.at("depth");
    outcome.engine = json.at("engine");
    outcome.compiler = json.at("toolchain").at("compiler");
    outcome.isolation = json.at("isolation").at("level");
    outcome.started = json.at("started");
    outcome.took = std::chrono::milliseconds(std::llround(json.at("timing_ms").at("total").get<double>()));
    for (std::size_t i = 0; i < json.at("tests").size(); ++i)
        outcome.tests.push_back(test_at(document, Pointer("/tests") / i));
    for (const Json& one : json.at("diagnosis"))
        outcome.mistakes.push_back({one.at("mistake"), one.at("says"), one.at("hint"), one.at("certain")});
    for (const Json& one : json.at("compile").at("diagnostics"))
        outcome.compiler_messages.push_back(message_of(one));
    outcome.report = std::move(report);
    return outcome;
}

} // namespace coursework
