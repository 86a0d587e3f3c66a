// What the run on a GPU adds to a judgement.
#include "evidence_builder.h"
#include "grading/judge.h"
#include "grading/on_gpu.h"

#include <doctest/doctest.h>

using namespace grading_test;
using namespace model;
using enum Verdict;

namespace {

Judgement with(grading::ProgramEvidence on_gpu) {
    Evidence evidence = traced_too();
    evidence.device = "cuda";
    evidence.gpu = GpuRun{.gpu = {.name = "NVIDIA H200"}};
    evidence.checks.push_back({std::move(on_gpu), Check::gpu, true, {}});
    return grading::judge(two_tests(Language::cuda), evidence);
}

CaseEnded left_out(const std::string& name) {
    CaseEnded ended = pass(name);
    ended.left_out = true;
    return ended;
}

} // namespace

TEST_CASE("what passes on both is accepted, and the judgement names the GPU") {
    const Judgement judgement = with(program(whole_run({pass("a"), pass("b")})));
    CHECK(judgement.verdict == accepted);
    CHECK(judgement.device == "cuda");
    REQUIRE(judgement.gpu);
    CHECK(judgement.gpu->gpu.name == "NVIDIA H200");
}

TEST_CASE("what fails on the GPU alone costs its test and says where it was seen") {
    const Judgement judgement = with(program(whole_run({fail("a", wrong()), pass("b")})));
    CHECK(judgement.verdict == wrong_answer);
    CHECK(judgement.points == 8);
    CHECK(judgement.tests[0].message.find("on the GPU (NVIDIA H200); on the emulator the test passes") !=
          std::string::npos);
}

TEST_CASE("a test that the GPU cannot run counts as the emulator has it") {
    CHECK(with(program(whole_run({left_out("a"), pass("b")}))).verdict == accepted);
}

TEST_CASE(
    "a run that did not come to its end leaves the grade open, and so does a test that is missing in it") {
    CHECK(with(program(broken_run())).verdict == judge_error);
    CHECK(with(program(whole_run({pass("a")}))).verdict == judge_error);
}

TEST_CASE("a file that does not compile for the GPU does not compile") {
    const Judgement judgement = with(no_program("what?"));
    CHECK(judgement.verdict == compile_error);
    REQUIRE(!judgement.compile.diagnostics.empty());
    CHECK(judgement.compile.diagnostics.back().message.find("the build for the GPU") != std::string::npos);
}

TEST_CASE("a test that was skipped on the GPU is not accepted") {
    CaseEnded skipped = pass("b");
    skipped.skipped = true;
    CHECK(with(program(whole_run({pass("a"), skipped}))).tests[1].verdict == Verdict::skipped);
}

TEST_CASE("whether anything failed is what a GPU is asked anew for") {
    grading::CheckedEvidence run{program(whole_run({pass("a"), left_out("b")})), Check::gpu, true, {}};
    CHECK(grading::all_passed(run));
    run = {program(whole_run({pass("a"), fail("b", wrong())})), Check::gpu, true, {}};
    CHECK_FALSE(grading::all_passed(run));
}
