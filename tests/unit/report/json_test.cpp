#include "report/json.h"

#include "catalogue/schema.h"
#include "golden/fixtures.h"
#include "model/errors.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <limits>

using nlohmann::json;

namespace {

bool valid(const json& document) {
    static const catalogue::Schema schema = [] {
        std::ifstream file(ENGINE_SOURCE_DIR "/schemas/report.schema.json");
        return catalogue::Schema({"report.schema.json", json::parse(file)});
    }();
    try {
        schema.check({"report.json", document});
        return true;
    } catch (const model::ContentError&) {
        return false;
    }
}

json report_of(const std::string& fixture) {
    return json::parse(report::render_json(fixtures::named(fixture)));
}

} // namespace

TEST_CASE("the report of every fixture obeys the schema, is ASCII and is the same each time") {
    for (const fixtures::Fixture& fixture : fixtures::all()) {
        CAPTURE(fixture.name);
        const std::string text = report::render_json(fixture.judgement);
        CHECK(valid(json::parse(text)));
        CHECK(std::all_of(text.begin(), text.end(),
                          [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); }));
        CHECK(text == report::render_json(fixture.judgement));
    }
}

TEST_CASE("a broken report is refused by the schema") {
    const json good = report_of("wrong-answer");
    REQUIRE(valid(good));
    const auto broken = [&good](const char* pointer, const json& value) {
        json report = good;
        report[json::json_pointer(pointer)] = value;
        return !valid(report);
    };
    CHECK(broken("/schema", "engine.report/2"));
    CHECK(broken("/surprise", 1));
    CHECK(broken("/verdict", "passed"));
    CHECK(broken("/score/points", "NaN"));
    CHECK(broken("/tests/0/message", nullptr));
    CHECK(broken("/tests/0/mismatch/worst_abs", "large"));
    CHECK(broken("/tests/0/mismatch/surprise", 1));
    CHECK(broken("/seed", -1));
    CHECK(broken("/seed", "0x12"));
    CHECK(broken("/isolation/level", "F"));
    for (const auto& [key, value] : good.items()) {
        json report = good;
        report.erase(key);
        CHECK_MESSAGE(!valid(report), key);
    }
}

TEST_CASE("a hidden test that says more than its verdict is refused by the schema") {
    json report = report_of("hidden-only");
    REQUIRE(valid(report));
    REQUIRE(report["tests"][3]["visibility"] == "hidden");
    for (const char* key : {"message", "output", "mismatch"}) {
        json leaking = report;
        leaking["tests"][3][key] = "x";
        CHECK_MESSAGE(!valid(leaking), key);
    }
}

TEST_CASE("the fields are those of the design, in its order") {
    const auto report = nlohmann::ordered_json::parse(report::render_json(fixtures::named("accepted")));
    std::vector<std::string> keys;
    for (const auto& [key, value] : report.items())
        keys.push_back(key);
    CHECK(keys == std::vector<std::string>{
                      "schema",     "minor",         "engine",        "collection", "problem",
                      "submission", "started",       "graded",        "depth",      "stage",
                      "verdict",    "summary",       "next",          "score",      "tests",
                      "diagnosis",  "failing_calls", "compile",       "sanitizer",  "traffic",
                      "isolation",  "seed",          "toolchain",     "device",     "worker_calls",
                      "timing_ms",  "questions",     "justification", "attempt"});
    CHECK(report["score"]["points"] == 20);
    CHECK(report["timing_ms"]["compile"] == 118.3);
}

TEST_CASE("seeds come back exactly") {
    model::Judgement judgement = fixtures::named("accepted");
    const auto seed = [&judgement](std::uint64_t value) {
        judgement.seed = value;
        const json report = json::parse(report::render_json(judgement));
        CHECK(valid(report));
        return report["seed"];
    };
    CHECK(seed(0) == 0);
    CHECK(seed(9007199254740992U) == json(9007199254740992U));
    CHECK(seed(9007199254740993U) == "9007199254740993");
    CHECK(seed(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
}

TEST_CASE("numbers that are not finite are words") {
    model::Judgement judgement = fixtures::named("wrong-answer");
    judgement.tests[0].mismatch->worst_rel = std::numeric_limits<double>::quiet_NaN();
    judgement.tests[1].mismatch->worst_rel = -std::numeric_limits<double>::infinity();
    const json report = json::parse(report::render_json(judgement));
    CHECK(valid(report));
    CHECK(report["tests"][0]["mismatch"]["worst_rel"] == "NaN");
    CHECK(report["tests"][1]["mismatch"]["worst_abs"] == "Infinity");
    CHECK(report["tests"][1]["mismatch"]["worst_rel"] == "-Infinity");
}

TEST_CASE("texts keep their characters, and only broken ones are replaced") {
    model::Judgement judgement = fixtures::named("wrong-answer");
    judgement.tests[0].output = "tab\t \x1b[0m ü \u202e";
    CHECK(json::parse(report::render_json(judgement))["tests"][0]["output"] == judgement.tests[0].output);
    judgement.tests[0].output = "\xff";
    CHECK(json::parse(report::render_json(judgement))["tests"][0]["output"] == "\ufffd");
}

TEST_CASE("questions hold prompt and options and no answer") {
    const json report = report_of("accepted");
    REQUIRE(report["questions"].size() == 3);
    CHECK(report["questions"][0]["options"] ==
          json({{{"id", "in-a-row"}, {"text", "elements 12, 13 and 14"}},
                {{"id", "in-a-column"}, {"text", "elements 4, 10 and 16"}}}));
    CHECK(report["questions"][1]["unit"] == "elements");
    CHECK(report.dump().find("correct") == std::string::npos);
    CHECK(report.dump().find("formula") == std::string::npos);
    CHECK(report["justification"].is_null());
}

TEST_CASE("the answers so far are in the report") {
    model::Judgement judgement = fixtures::named("accepted");
    judgement.justification = {
        2, {{"fourth-row", model::Standing::wrong, 3}, {"offset", model::Standing::open, 0}}};
    const json answered = json::parse(report::render_json(judgement))["justification"];
    CHECK(answered["attempt"] == 2);
    CHECK(answered["complete"] == false);
    CHECK(answered["questions"][0] == json({{"id", "fourth-row"}, {"mark", "wrong"}, {"tries", 3}}));
    CHECK(answered["questions"][1]["mark"] == "open");
}
