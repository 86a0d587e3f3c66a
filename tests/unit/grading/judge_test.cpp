// Every rule of grading as a row: what was seen, and what follows from it.
#include "grading/judge.h"

#include "evidence_builder.h"

#include <doctest/doctest.h>
#include <functional>

using namespace grading_test;
using namespace model;

namespace {

struct Row {
    const char* situation;
    std::function<void(Evidence&)> change; ///< what differs from a submission that passes everything
    Verdict verdict;
    Verdict a;
    Verdict b;
    double points;
};

void check(Language language, const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        INFO(row.situation);
        const Judgement judgement = judged(language, row.change);
        CHECK(judgement.verdict == row.verdict);
        CHECK(judgement.points == row.points);
        CHECK(judgement.max_points == 20);
        REQUIRE(judgement.tests.size() == 2);
        if (row.verdict == Verdict::compile_error) {
            CHECK(judgement.tests[0].verdict == Verdict::skipped);
            CHECK(judgement.tests[1].verdict == Verdict::skipped);
            CHECK(judgement.tests[1].max_points == 8);
            continue;
        }
        CHECK(judgement.tests[0].verdict == row.a);
        CHECK(judgement.tests[1].verdict == row.b);
    }
}

using enum Verdict;

} // namespace

TEST_CASE("C++: what both builds show decides") {
    const auto run = [](const DriverRun& seen) {
        return [seen](Evidence& evidence) { evidence.judged.run = seen; };
    };
    const auto checked = [](const DriverRun& seen) {
        return [seen](Evidence& evidence) { evidence.checks[0].run = seen; };
    };
    check(Language::cpp,
          {{"all pass in both", nothing, accepted, accepted, accepted, 20},
           {"the file does not compile", [](Evidence& e) { e.judged = no_program("what?"); }, compile_error,
            skipped, skipped, 0},
           {"a wrong value", run(whole_run({fail("a", wrong()), pass("b")})), wrong_answer, wrong_answer,
            accepted, 8},
           {"nothing implemented", run(whole_run({fail("a", missing()), fail("b", missing())})),
            not_implemented, not_implemented, not_implemented, 0},
           {"one function missing, another wrong", run(whole_run({fail("a", missing()), fail("b", wrong())})),
            wrong_answer, not_implemented, wrong_answer, 0},
           {"a crash", run(whole_run({fail("a", died(Fate::signalled, 11)), pass("b")})), run_time_error,
            run_time_error, accepted, 8},
           {"a call without end", run(whole_run({pass("a"), fail("b", died(Fate::timed_out))})),
            time_limit_exceeded, accepted, time_limit_exceeded, 12},
           {"a judged run that stopped after the first test",
            [](Evidence& e) {
                e.judged.run = broken_run();
                e.judged.run->events.emplace_back(pass("a"));
            },
            judge_error, accepted, judge_error, 12},
           {"an overflow that the checked build alone sees",
            [](Evidence& e) {
                e.checks[0].run =
                    whole_run({fail("a", died(Fate::exited, address_sanitizer_status), overflow), pass("b")});
            },
            run_time_error, run_time_error, accepted, 8},
           {"a wrong value in the checked build alone", checked(whole_run({fail("a", wrong()), pass("b")})),
            wrong_answer, wrong_answer, accepted, 8},
           {"the same, but not when it is repeated alone",
            [](Evidence& e) {
                e.checks[0].run = whole_run({fail("a", wrong()), pass("b")});
                e.checks[0].alone = whole_run({pass("a")});
            },
            accepted, accepted, accepted, 20},
           {"the same, and again when it is repeated alone",
            [](Evidence& e) {
                e.checks[0].run = whole_run({fail("a", wrong()), pass("b")});
                e.checks[0].alone = whole_run({fail("a", wrong())});
            },
            wrong_answer, wrong_answer, accepted, 8},
           {"a checked run that missed a test", checked(whole_run({pass("a")})), judge_error, accepted,
            judge_error, 12},
           {"a large test that the checked run leaves out",
            checked(whole_run({pass("a"), CaseEnded{.name = "b", .left_out = true}})), accepted, accepted,
            accepted, 20},
           {"a checked run that did not come to its end", checked(broken_run()), judge_error, judge_error,
            judge_error, 0},
           {"a repetition that did not come to its end",
            [](Evidence& e) { e.checks[0].alone = broken_run(); }, judge_error, accepted, accepted, 20},
           {"a checked build that failed",
            [](Evidence& e) {
                e.checks[0] = {no_program("what?"), Check::sanitizers, true, {}};
            },
            compile_error, skipped, skipped, 0},
           {"a checked run that broke on top of a wrong value",
            [](Evidence& e) {
                e.judged.run = whole_run({fail("a", wrong()), pass("b")});
                e.checks[0].run = broken_run();
            },
            judge_error, wrong_answer, judge_error, 0},
           {"a call that never ends in the checked run alone",
            checked(whole_run({fail("a", died(Fate::timed_out)), pass("b")})), time_limit_exceeded,
            time_limit_exceeded, accepted, 8},
           {"a test that the judged run had no time for",
            [](Evidence& e) {
                e.judged.run =
                    whole_run({fail("a", died(Fate::timed_out)), CaseEnded{.name = "b", .skipped = true}});
            },
            time_limit_exceeded, time_limit_exceeded, skipped, 0},
           {"a test that the checked run had no time for",
            checked(whole_run({fail("a", died(Fate::timed_out)), CaseEnded{.name = "b", .skipped = true}})),
            time_limit_exceeded, time_limit_exceeded, skipped, 0},
           {"a compiler without sanitizers",
            [](Evidence& e) {
                e.checks.clear();
                e.toolchain.sanitizers = false;
            },
            accepted, accepted, accepted, 20}});
}

TEST_CASE("CUDA: what the trace and NVIDIA's compiler show decides, too") {
    const emulator::Finding race{
        .kind = FindingKind::race_in_block, .message = "two threads", .where = {"f.cu", 14, 0}};
    check(Language::cuda,
          {{"all pass in both", nothing, accepted, accepted, accepted, 20},
           {"no nvcc here", [](Evidence& e) { e.nvcc.reset(); }, accepted, accepted, accepted, 20},
           {"nvcc refuses the file",
            [](Evidence& e) {
                e.nvcc = CompileResult{false, {{.file = "f.cu", .message = "no"}}};
            },
            compile_error, skipped, skipped, 0},
           {"a race", [&](Evidence& e) { e.checks[0].traces["a"] = traced({race}); }, run_time_error,
            run_time_error, accepted, 8},
           {"a race in a test that is too slow anyway",
            [&](Evidence& e) {
                e.judged.run = whole_run({fail("a", died(Fate::timed_out)), pass("b")});
                e.checks[0].traces["a"] = traced({race});
            },
            time_limit_exceeded, time_limit_exceeded, accepted, 8},
           {"a fault that the judged run itself met",
            [&](Evidence& e) { e.judged.traces["b"] = traced({race}); }, run_time_error, accepted,
            run_time_error, 12},
           {"memory that only the traced run lacks",
            [](Evidence& e) {
                e.checks[0].run = whole_run(
                    {fail("a", {.kind = Finding::Kind::out_of_memory, .function = "f"}), pass("b")});
            },
            memory_limit_exceeded, memory_limit_exceeded, accepted, 8},
           {"no trace of a test", [](Evidence& e) { e.checks[0].traces.erase("b"); }, run_time_error,
            accepted, run_time_error, 12},
           {"a traced run that stopped",
            [](Evidence& e) {
                e.checks[0].run = broken_run();
                e.checks[0].traces.clear();
            },
            judge_error, judge_error, judge_error, 0}});
}

TEST_CASE("what a checked program could not tell is said") {
    const auto reason = [](const std::function<void(Evidence&)>& change) {
        return judged(Language::cpp, change).sanitizer.reason;
    };
    CHECK(reason(nothing).empty());
    CHECK(reason([](Evidence& e) { e.checks[0].run = broken_run(); }) == "the driver was killed");
    CHECK(reason([](Evidence& e) { e.checks[0].alone = broken_run(); }) == "the driver was killed");
    CHECK(reason([](Evidence& e) {
              e.checks.clear();
              e.left_out = {{Check::sanitizers, "no sanitizers"}};
          }) == "no sanitizers");
}

TEST_CASE("a practice run counts the visible tests and asks no questions") {
    const Judgement graded = judged(Language::cpp, nothing);
    CHECK(graded.questions.size() == 1);
    const Judgement practice = judged(Language::cpp, [](Evidence& e) {
        e.graded = false;
        e.tests.resize(1);
        e.checks.clear();
    });
    CHECK(practice.verdict == accepted);
    CHECK(practice.points == 12);
    CHECK(practice.max_points == 12);
    CHECK(practice.questions.empty());
}

TEST_CASE("a graded run that is not accepted asks nothing") {
    const Judgement wrong = judged(Language::cpp, [](Evidence& e) { e.judged.build.ok = false; });
    CHECK(wrong.verdict != accepted);
    CHECK(wrong.questions.empty());
}

TEST_CASE("without any test there is nothing to accept") {
    CHECK(judged(Language::cpp, [](Evidence& e) { e.tests.clear(); }).verdict == judge_error);
}

TEST_CASE("what was asked and how long it took stays as it is") {
    const Judgement judgement = judged(Language::cuda, [](Evidence& e) {
        e.from = "my/f.cu";
        e.seed = 7;
        e.judged.build.cached = true;
        e.judged.build.compile = std::chrono::microseconds(1);
        e.judged.build.link = std::chrono::microseconds(2);
        e.judged.time = std::chrono::microseconds(3);
        e.total = std::chrono::microseconds(4);
    });
    CHECK(judgement.problem_id == "twice");
    CHECK(judgement.problem_title == "Twice");
    CHECK(judgement.file == "f.cu");
    CHECK(judgement.from == "my/f.cu");
    CHECK(judgement.seed == 7);
    CHECK(judgement.device == "emulated");
    CHECK(judgement.nvcc_compiled);
    CHECK(judgement.timing.cached);
    CHECK(judgement.timing.compile.count() == 1);
    CHECK(judgement.timing.link.count() == 2);
    CHECK(judgement.timing.run.count() == 3);
    CHECK(judgement.timing.total.count() == 4);
}

TEST_CASE("a mistake is named by the judged run, by a naming run of its own, or by what the trace finds") {
    const auto name = [](Language language, const std::function<void(Evidence&)>& change) {
        const Judgement judgement = judged(language, change);
        return judgement.diagnosis.empty() ? "" : judgement.diagnosis.front().mistake;
    };
    const auto wrong_a = [](Evidence& e) { e.judged.run = whole_run({fail("a", wrong()), pass("b")}); };
    CHECK(name(Language::cpp, nothing).empty());
    CHECK(name(Language::cpp, wrong_a).empty());
    CHECK(name(Language::cpp, [&](Evidence& e) {
              wrong_a(e);
              e.judged.run->events.emplace_back(events::MistakeMatched{"adds-one", {"a"}, {}});
          }) == "adds-one");
    CHECK(name(Language::cpp, [&](Evidence& e) {
              wrong_a(e);
              e.naming = whole_run({fail("a", wrong())});
              e.naming->events.emplace_back(events::MistakeMatched{"adds-one", {"a"}, {}});
          }) == "adds-one");
    CHECK(name(Language::cuda, [](Evidence& e) {
              e.checks[0].traces["a"] = traced({{.kind = FindingKind::race_in_block, .message = "two"}});
          }) == "races");
}

TEST_CASE("an error of the compiler is explained") {
    const Judgement judgement = judged(
        Language::cpp, [](Evidence& e) { e.judged = no_program("undefined reference to 'exercise::f()'"); });
    REQUIRE(judgement.compile.diagnostics.size() == 1);
    CHECK_FALSE(judgement.compile.diagnostics[0].explanation.empty());
}

TEST_CASE("only what was accepted and then failed under one checked worker is repeated") {
    const auto repeated = [](const std::function<void(Evidence&)>& change) {
        Evidence evidence = sanitized();
        change(evidence);
        return grading::tests_to_repeat(two_tests(Language::cpp), evidence, evidence.checks[0]);
    };
    const auto fails = [](Evidence& e) {
        e.judged.run = whole_run({pass("a"), fail("b", wrong())});
        e.checks[0].run = whole_run({fail("a", wrong()), fail("b", wrong())});
    };
    CHECK(repeated(nothing).empty());
    CHECK(repeated(fails) == std::vector<std::string>{"a"});
    CHECK(repeated([&](Evidence& e) {
              fails(e);
              e.checks[0].one_worker = false;
          }).empty());
    CHECK(repeated([&](Evidence& e) {
              fails(e);
              e.judged = no_program("what?");
          }).empty());
}
