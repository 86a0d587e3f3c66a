#include "coursework/outcome.h"

#include "catalogue/document.h"
#include "golden/fixtures.h"
#include "model/errors.h"
#include "report/json.h"

#include <doctest/doctest.h>

namespace {

coursework::Outcome read_report(const std::string& report) {
    const std::filesystem::path root = ENGINE_SOURCE_DIR;
    static const catalogue::Schema schema(
        catalogue::parse(catalogue::read_source(root / "schemas/report.schema.json", root)));
    return coursework::read_outcome("report", report, schema);
}

} // namespace

TEST_CASE("what a graded report says is read back") {
    for (const auto& [name, judgement] : fixtures::all()) {
        if (!judgement.graded) continue;
        INFO(name);
        const std::string report = report::render_json(judgement);
        const coursework::Outcome outcome = read_report(report);
        if (name != "hostile") CHECK(outcome.problem == judgement.problem_id); // that one is cut and repaired
        CHECK(outcome.verdict == judgement.verdict);
        CHECK(outcome.points == judgement.points);
        CHECK(outcome.seed == judgement.seed);
        CHECK(outcome.tests.size() == judgement.tests.size());
        CHECK(outcome.mistakes.size() == judgement.diagnosis.size());
        CHECK(outcome.report == report);
    }
}

TEST_CASE("a hidden test has no message") {
    for (const auto& [name, judgement] : fixtures::all()) {
        if (!judgement.graded) continue;
        for (const coursework::TestOutcome& test : read_report(report::render_json(judgement)).tests)
            CHECK((!test.hidden || test.message.empty()));
    }
}

TEST_CASE("a practice run and anything else are no outcome") {
    for (const auto& [name, judgement] : fixtures::all())
        if (!judgement.graded)
            CHECK_THROWS_AS(read_report(report::render_json(judgement)), model::ContentError);
    CHECK_THROWS_AS(read_report("{}"), model::ContentError);
    CHECK_THROWS_AS(read_report("not JSON"), model::ContentError);
}
