#include "coursework/assignment.h"

#include "catalogue/document.h"
#include "model/errors.h"

#include <doctest/doctest.h>

using coursework::Assignment;

namespace {

Assignment read_members(const std::string& members) {
    const std::filesystem::path root = ENGINE_SOURCE_DIR;
    const catalogue::Schema schema(
        catalogue::parse(catalogue::read_source(root / "schemas/assignment.schema.json", root)));
    return coursework::read_assignment({"a.json", R"({"schema": "engine.assignment/1", )" + members + "}"},
                                       schema);
}

const std::string one_problem = R"("problems": [{"id": "first-row"}])";

} // namespace

TEST_CASE("a list of problems is an assignment, with defaults for the rest") {
    const Assignment assignment = read_members(one_problem);
    REQUIRE(assignment.problems.size() == 1);
    CHECK(assignment.problems[0].weight == 1);
    CHECK_FALSE(assignment.deadline);
    CHECK(assignment.counts == coursework::Counts::last);
    CHECK_FALSE(assignment.thorough);
    CHECK_FALSE(assignment.on_gpu);
    CHECK_FALSE(assignment.seed);
    CHECK_FALSE(assignment.cpu);
}

TEST_CASE("everything that may be said is read") {
    const Assignment assignment = read_members(R"("title": "Week 3",
        "problems": [{"id": "first-row", "weight": 2.5}, {"id": "dropout"}],
        "deadline": "2026-10-25T23:59", "time_zone": "Europe/Berlin",
        "late": {"grace_minutes": 5, "percent_per_day": 10, "max_days": 3}, "counts": "best",
        "questions_percent": 20, "depth": "thorough", "seeds": "per-student", "cpu_seconds": 7, "device": "cuda")");
    CHECK(assignment.problems[0].weight == 2.5);
    REQUIRE(assignment.deadline);
    CHECK(coursework::utc(*assignment.deadline) == "2026-10-25T22:59:00Z");
    CHECK(assignment.late.grace == std::chrono::minutes(5));
    CHECK(assignment.late.max_days == 3);
    CHECK(assignment.counts == coursework::Counts::best);
    CHECK(assignment.questions_percent == 20);
    CHECK(assignment.thorough);
    CHECK(assignment.on_gpu);
    CHECK(assignment.seeding == coursework::Seeding::per_student);
    CHECK(assignment.cpu == std::chrono::seconds(7));
    CHECK(read_members(one_problem + R"(, "seed": 42)").seed == 42);
}

TEST_CASE("what is wrong is named with its place") {
    const auto refused = [](const std::string& members, const char* place) {
        try {
            (void)read_members(members);
            FAIL_CHECK(members << " was read");
        } catch (const model::ContentError& error) {
            CHECK_MESSAGE(std::string(error.what()).find(place) != std::string::npos, error.what());
        }
    };
    refused(R"("problems": [])", "/problems");
    refused(R"("problems": [{"id": "a"}, {"id": "a"}])", "/problems/1/id is assigned already");
    refused(R"("problems": [{"id": "a", "weight": 0}])", "/problems/0/weight");
    refused(one_problem + R"(, "time_zone": "Europe/Atlantis")", "/time_zone is not a time zone");
    refused(one_problem + R"(, "deadline": "2026-03-29T02:30", "time_zone": "Europe/Berlin")",
            "/deadline must be a time that exists in the time zone Europe/Berlin");
    refused(one_problem + R"(, "deadline": "tomorrow")", "/deadline");
    refused(one_problem + R"(, "late": {"percent_per_day": 101})", "/late/percent_per_day");
    refused(one_problem + R"(, "counts": "first")", "/counts");
    refused(one_problem + R"(, "dead_line": "2026-01-01T00:00")", "dead_line");
}
