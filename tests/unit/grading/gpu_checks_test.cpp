// What compute-sanitizer's tools add to a judgement.
#include "evidence_builder.h"
#include "grading/gpu_checks.h"
#include "grading/judge.h"

#include <doctest/doctest.h>

using namespace grading_test;
using namespace model;
using enum Verdict;

namespace {

const std::string clean = "========= ERROR SUMMARY: 0 errors\n";

std::string fault(int line) {
    return "========= Invalid __global__ read of size 4 bytes\n=========     at f+0x70 in f.cu:" +
           std::to_string(line) +
           "\n=========     by thread (1,0,0) in block (0,0,0)\n=========     Address 0x70 is out of bounds\n"
           "========= ERROR SUMMARY: 1 error\n";
}

DriverRun served(std::vector<events::WorkerEnded> workers) {
    DriverRun run = whole_run({pass("a"), pass("b")});
    for (events::WorkerEnded& worker : workers)
        run.events.emplace_back(std::move(worker));
    return run;
}

events::WorkerEnded worker(std::vector<std::string> cases, std::string shown, std::string trouble = "") {
    return {std::move(cases), {}, std::move(shown), std::move(trouble)};
}

grading::GpuCheck memcheck(DriverRun run) {
    return {"memcheck", std::move(run), {}};
}

Evidence checked_by(std::vector<grading::GpuCheck> checks) {
    Evidence evidence = traced_too();
    evidence.device = "cuda";
    evidence.gpu = GpuRun{.gpu = {.name = "NVIDIA H200"}};
    evidence.checks.push_back({program(whole_run({pass("a"), pass("b")})), Check::gpu, true, {}});
    evidence.compute_sanitizer = "2024.1.1";
    evidence.gpu_checks = std::move(checks);
    return evidence;
}

Judgement judged(std::vector<grading::GpuCheck> checks) {
    return grading::judge(two_tests(Language::cuda), checked_by(std::move(checks)));
}

std::string reason(DriverRun run) {
    const Judgement judgement = judged({memcheck(std::move(run))});
    CHECK(judgement.verdict == accepted);
    CHECK(judgement.gpu->compute_sanitizer->ran.empty());
    return judgement.gpu->compute_sanitizer->reason;
}

} // namespace

TEST_CASE("nothing found: accepted, and the account names the tools that ran") {
    const Judgement judgement =
        judged({memcheck(served({worker({"a", "b"}, clean)})),
                {"racecheck",
                 served({worker({"a", "b"}, "========= RACECHECK SUMMARY: 1 hazard displayed "
                                            "(0 errors, 1 warning)\n")}),
                 {}}});
    CHECK(judgement.verdict == accepted);
    REQUIRE(judgement.gpu->compute_sanitizer);
    CHECK(judgement.gpu->compute_sanitizer->version == "2024.1.1");
    CHECK(judgement.gpu->compute_sanitizer->ran == std::vector<std::string>{"memcheck", "racecheck"});
    CHECK(judgement.gpu->compute_sanitizer->reason.empty());
}

TEST_CASE("a finding costs the test of its worker, with its line, the tool and the GPU") {
    const Judgement judgement = judged({memcheck(served({worker({"a"}, clean), worker({"b"}, fault(12))}))});
    CHECK(judgement.verdict == run_time_error);
    CHECK(judgement.tests[0].verdict == accepted);
    CHECK(judgement.tests[1].verdict == run_time_error);
    CHECK(judgement.tests[1].points == 0);
    CHECK(judgement.tests[1].message.find("at f.cu:12") != std::string::npos);
    CHECK(judgement.tests[1].message.find("compute-sanitizer (memcheck) on NVIDIA H200") !=
          std::string::npos);
    REQUIRE(judgement.sanitizer.findings.size() == 1);
    const SanitizerFinding& finding = judgement.sanitizer.findings.front();
    CHECK(kind_name(finding) == "out_of_bounds");
    CHECK((finding.file == "f.cu" && finding.line == 12 && finding.test == "b"));
}

TEST_CASE("where one worker served several tests, they are run again, and only that counts") {
    const grading::GpuCheck together = memcheck(served({worker({"a", "b"}, fault(12))}));
    CHECK(grading::tests_to_repeat(together, {"f.cu"}) == std::vector<std::string>{"a", "b"});
    CHECK(grading::tests_to_repeat(memcheck(served({worker({"b"}, fault(12))})), {"f.cu"}).empty());
    CHECK(grading::tests_to_repeat(memcheck(served({worker({"a", "b"}, clean)})), {"f.cu"}).empty());

    grading::GpuCheck repeated = together;
    repeated.alone = served({worker({"a"}, clean), worker({"b"}, fault(12))});
    Judgement judgement = judged({repeated});
    CHECK(judgement.tests[0].verdict == accepted);
    CHECK(judgement.tests[1].verdict == run_time_error);

    repeated.alone = served({worker({"a"}, clean), worker({"b"}, clean)});
    judgement = judged({repeated});
    CHECK(judgement.verdict == accepted);
    CHECK(judgement.gpu->compute_sanitizer->reason.find("did not show with one for each") !=
          std::string::npos);
}

TEST_CASE("what the trace has found at the same line of the same test is not told twice") {
    Evidence evidence = checked_by({memcheck(served({worker({"a"}, fault(12)), worker({"b"}, fault(9))}))});
    emulator::Finding found;
    found.kind = FindingKind::out_of_bounds;
    found.where = {"f.cu", 12, 0};
    evidence.checks[0].traces["a"] = traced({found});
    const Judgement judgement = grading::judge(two_tests(Language::cuda), evidence);
    REQUIRE(judgement.sanitizer.findings.size() == 2);
    CHECK(judgement.sanitizer.findings[0].line == 12);
    CHECK(judgement.sanitizer.findings[1].line == 9);
    CHECK(judgement.tests[0].message.find("compute-sanitizer") == std::string::npos);
}

TEST_CASE("two tools that say the same of a place are one finding") {
    CHECK(judged({memcheck(served({worker({"a"}, fault(3))})), memcheck(served({worker({"a"}, fault(3))}))})
              .sanitizer.findings.size() == 1);
}

TEST_CASE("a tool that could not run costs nothing, and the account says why") {
    CHECK(reason(broken_run()) == "memcheck: the driver was killed; the tools after it were not tried");
    CHECK(reason(served({worker({"a"}, "========= Unable to find injection library x.so\n",
                                "it ended with status 1 before the first test")})) ==
          "memcheck: Unable to find injection library x.so");
    CHECK(reason(served({worker({"a"}, "", "a call took too long under it")})) ==
          "memcheck: a call took too long under it");
    CHECK(reason(served({worker({"a"}, "========= zap\n")})) ==
          "memcheck: it ended without a summary; 1 of its lines could not be read");
    CHECK(reason(served({worker({"a"}, "========= Zap\n========= ERROR SUMMARY: 3 errors\n")})) ==
          "memcheck: it counted 3 errors, and none could be read; 1 of its lines could not be read");
    CHECK(reason(served({})) == "memcheck: no test calls the program there");
}

TEST_CASE("where there is none, the judgement says so, and a practice run says nothing") {
    Evidence evidence = checked_by({});
    evidence.compute_sanitizer.clear();
    evidence.no_compute_sanitizer = "it is not installed here";
    Judgement judgement = grading::judge(two_tests(Language::cuda), evidence);
    CHECK(judgement.verdict == accepted);
    CHECK(judgement.gpu->compute_sanitizer->reason == "it is not installed here");
    evidence.graded = false;
    judgement = grading::judge(two_tests(Language::cuda), evidence);
    CHECK_FALSE(judgement.gpu->compute_sanitizer);
}

TEST_CASE("tests that never ended on the GPU, or were left out there, are not tried again") {
    Evidence evidence = checked_by({});
    CaseEnded left_out = pass("b");
    left_out.left_out = true;
    evidence.checks.back() = {
        program(whole_run({fail("a", died(Fate::timed_out)), left_out})), Check::gpu, true, {}};
    CHECK(grading::tests_to_check(evidence).empty());
    evidence.checks.back() = {program(whole_run({fail("a", wrong()), pass("b")})), Check::gpu, true, {}};
    CHECK(grading::tests_to_check(evidence) == std::vector<std::string>{"a", "b"});
}
