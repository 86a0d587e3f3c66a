#include "app/earlier.h"

#include "model/errors.h"
#include "report/json.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using model::Verdict;

const std::filesystem::path schemas = std::filesystem::path(ENGINE_SOURCE_DIR) / "schemas";

model::TestResult result(const char* name, Verdict verdict, model::Visibility visibility) {
    model::TestResult test;
    test.name = name;
    test.verdict = verdict;
    test.visibility = visibility;
    return test;
}

model::Judgement judgement() {
    model::Judgement judgement;
    judgement.engine_version = "1.0";
    judgement.collection = {"a course", std::string(64, 'a')};
    judgement.problem_id = "token-lookup";
    judgement.problem_title = "Rows";
    judgement.verdict = Verdict::wrong_answer;
    judgement.tests = {result("first", Verdict::accepted, model::Visibility::visible),
                       result("second", Verdict::wrong_answer, model::Visibility::hidden)};
    judgement.seed = UINT64_MAX - 1;
    judgement.toolchain = {.compiler = "g++ 12.2.0", .flags = "-O2", .linker = "mold", .nvcc = ""};
    judgement.isolation.level = model::IsolationLevel::A;
    return judgement;
}

app::Earlier read(const std::string& text) {
    const test::Folder folder;
    folder.write("report.json", text);
    return app::read_earlier(folder.path() / "report.json", schemas);
}

app::Earlier read(const model::Judgement& judgement) {
    return read(report::render_json(judgement));
}

/// As an engine wrote it that did not say whether a run was graded.
app::Earlier read_old(const model::Judgement& judgement) {
    auto report = nlohmann::json::parse(report::render_json(judgement));
    for (const char* added : {"minor", "graded", "stage", "summary", "next"})
        report.erase(added);
    return read(report.dump());
}

} // namespace

TEST_CASE("what is to be repeated reads back from a report") {
    const app::Earlier earlier = read(judgement());
    CHECK(earlier.problem == "token-lookup");
    CHECK(earlier.seed == UINT64_MAX - 1);
    CHECK_FALSE(earlier.graded);
    CHECK(read_old(judgement()).graded); // it has a hidden test
    CHECK(earlier.stage == model::Stage::build);
    model::Judgement repair = judgement();
    repair.stage = model::Stage::harden;
    repair.graded = true;
    CHECK(read(repair).stage == model::Stage::harden);
    CHECK(read(repair).graded);
    CHECK(read_old(repair).stage == model::Stage::build);
    CHECK(app::changes(earlier, judgement()).empty());
    CHECK(app::comparison(earlier, judgement()) == "All ended as in the report.");
}

TEST_CASE("a practice run has visible tests alone") {
    model::Judgement practice = judgement();
    practice.tests.pop_back();
    CHECK_FALSE(read_old(practice).graded);
    practice.sanitizer.ran = true;
    CHECK(read_old(practice).graded); // in C++ the checked build is for graded runs
    practice.device = "emulated";
    CHECK_FALSE(read_old(practice).graded); // CUDA is traced in practice, too
}

TEST_CASE("each circumstance that has changed is named") {
    const app::Earlier earlier = read(judgement());
    model::Judgement now = judgement();
    now.engine_version = "1.1";
    now.collection.hash = std::string(64, 'b');
    now.toolchain.compiler = "g++ 13.1.0";
    now.toolchain.flags = "-O3";
    now.device = "emulated";
    now.isolation.level = model::IsolationLevel::B;
    CHECK(app::changes(earlier, now) ==
          std::vector<std::string>{
              "the engine was 1.0 and is 1.1", "the collection has changed: tests and limits may differ",
              "the compiler was g++ 12.2.0 and is g++ 13.1.0", "what is compiled with was -O2 and is -O3",
              "the device was cpu and is emulated", "the isolation was A and is B"});
}

TEST_CASE("what ended otherwise is named") {
    const app::Earlier earlier = read(judgement());
    model::Judgement now = judgement();
    now.tests[1].verdict = Verdict::accepted;
    now.tests.erase(now.tests.begin());
    CHECK(app::comparison(earlier, now) == "Different from the report: 'first' was accepted and is not run; "
                                           "'second' was wrong_answer and is accepted.");
    now = judgement();
    now.verdict = Verdict::judge_error;
    CHECK(app::comparison(earlier, now) ==
          "Different from the report: the verdict was wrong_answer and is judge_error.");
}

TEST_CASE("what is no report is refused") {
    CHECK_THROWS_AS(read(""), model::UsageError);
    CHECK_THROWS_AS(read("[1, 2"), model::UsageError);
    CHECK_THROWS_AS(read("{}"), model::UsageError);
    std::string other = report::render_json(judgement());
    other.replace(other.find("engine.report/1"), 15, "engine.report/9");
    CHECK_THROWS_AS(read(other), model::UsageError);
    std::string seed = report::render_json(judgement());
    seed.replace(seed.find("18446744073709551614"), 20, "99999999999999999999");
    CHECK_THROWS_AS(read(seed), model::UsageError);
    CHECK_THROWS_AS(app::read_earlier("/nowhere/report.json", schemas), model::UsageError);
}

TEST_CASE("a number of a hundred thousand digits is refused") {
    std::ifstream file(std::filesystem::path(ENGINE_SOURCE_DIR) /
                       "tests/golden/expected/json/kernel-findings.json");
    auto report = nlohmann::json::parse(file);
    CHECK(read(report.dump()).problem == report.at("problem").at("id"));
    report.at("traffic").at(0).at("sectors") = std::string(100'000, '1');
    CHECK_THROWS_AS(read(report.dump()), model::UsageError);
}
