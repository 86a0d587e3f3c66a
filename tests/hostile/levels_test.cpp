// The engine says which level of isolation it has and why, and grades nothing below the one that was asked
// for.
#include "build/layout.h"
#include "engine_run.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <unistd.h>

using hostile::EngineRun;
using hostile::Folder;
using hostile::report_of;
using hostile::run_engine;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> hand_in(const fs::path& submission, const char* floor, const fs::path& report) {
    return {
        "submit-build", "token-lookup", "--from", submission.string(), "--record",     "--require-isolation",
        floor,          "--format",     "json",   "--output",          report.string()};
}

fs::path honest() {
    return build::read_layout(ENGINE_LAYOUT).reference / "token-lookup/lookup.cpp";
}

std::string level_at(const char* ceiling, const Folder& folder, bool unprivileged) {
    const auto outcome = run_engine({folder.path(), folder.path() / "cache", {}, unprivileged, ceiling},
                                    {"doctor", "--format", "json"});
    REQUIRE_MESSAGE(outcome.exit.code == 0, outcome.output);
    const auto isolation = report_of(outcome)["isolation"];
    INFO(isolation.dump());
    // The evidence: what was tried and came to nothing, and what keeps it from the next level.
    CHECK(isolation["observed"].size() + isolation["missing"].size() > 35);
    CHECK(isolation["missing"].empty() == (isolation["level"] == "A"));
    const std::string level = isolation["level"];
    for (const char* floor : {"A", "B", "C"}) {
        CAPTURE(floor);
        const auto demanding = run_engine({folder.path(), folder.path() / "cache", {}, unprivileged, ceiling},
                                          {"doctor", "--require-isolation", floor});
        CHECK(demanding.exit.code == (level <= floor ? 0 : 4));
    }
    return level;
}

} // namespace

TEST_CASE("the doctor names the level that was observed, with its evidence") {
    const bool root = geteuid() == 0;
    for (const bool unprivileged : {false, true}) {
        if (unprivileged && (!root || access(ENGINE_PROGRAM, X_OK) != 0)) continue;
        CAPTURE(unprivileged);
        const Folder folder;
        const std::string best = level_at("A", folder, unprivileged);
        CHECK(level_at("B", folder, unprivileged) == std::max<std::string>(best, "B"));
        CHECK(level_at("C", folder, unprivileged) == std::max<std::string>(best, "C"));
        CHECK(level_at("D", folder, unprivileged) == std::max<std::string>(best, "D"));
        CHECK(level_at("E", folder, unprivileged) == "E");
    }
}

TEST_CASE("below the level that is required nothing is graded, reported or recorded") {
    const Folder folder;
    const fs::path report = folder.path() / "report.json";
    const EngineRun as_is{folder.path(), ENGINE_CACHE};
    EngineRun weaker = as_is;
    weaker.ceiling = "C";
    const auto attempts = [&] {
        const auto outcome = run_engine(
            as_is, {"test", "token-lookup", "--from", honest().string(), "--record", "--format", "json"});
        REQUIRE_MESSAGE(outcome.exit.code == 0, outcome.output);
        return report_of(outcome)["attempt"].get<int>();
    };
    CHECK(attempts() == 1);
    const fs::path unreadable = folder.path() / "unreadable"; // judged without a worker
    fs::create_directories(unreadable / "lookup.cpp");
    for (const fs::path& submission : {honest(), unreadable})
        for (const char* floor : {"A", "B"}) {
            CAPTURE(submission);
            const auto refused = run_engine(weaker, hand_in(submission, floor, report));
            INFO(refused.output);
            CHECK(refused.exit.code == 4);
            CHECK(refused.output.find("level C was observed") != std::string::npos);
            CHECK_FALSE(fs::exists(report));
        }
    CHECK(attempts() == 2);

    // The same at a level that is enough: it is not the option that refuses.
    const auto graded = run_engine(weaker, hand_in(honest(), "C", report));
    CHECK_MESSAGE(graded.exit.code == 0, graded.output);
    CHECK(fs::exists(report));
    CHECK(attempts() == 4);
}

TEST_CASE("what cannot be confined at all is not graded, whatever is asked for") {
    const Folder folder;
    for (const char* ceiling : {"D", "E"}) {
        CAPTURE(ceiling);
        EngineRun weakest{folder.path(), ENGINE_CACHE};
        weakest.ceiling = ceiling;
        const auto refused =
            run_engine(weakest, {"submit-build", "token-lookup", "--from", honest().string()});
        CHECK(refused.exit.code == 4);
    }
}
