// Faults of our own: whatever breaks on the judge's side, no submission is graded by it, and nothing hangs.
#include "build/file.h"
#include "engine_run.h"
#include "judge_fixture.h"
#include "leftovers.h"
#include "model/errors.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <fstream>
#include <pthread.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using hostile::Folder;
using hostile::JudgeFixture;
using hostile::run_engine;
using model::Verdict;

namespace {

namespace fs = std::filesystem;

/// Programs that run the scripts of tests/fixtures/drivers.
const fs::path fixtures = FIXTURE_DRIVERS;

build::Layout layout() {
    return build::read_layout(ENGINE_LAYOUT);
}

/// Shared by all cases: only the first pays for the precompiled header.
fs::path cache() {
    return fs::path(ENGINE_CACHE) / "engine";
}

/// The honest submission, judged by a driver that is not what it should be.
model::Judgement judge_with(const std::string& driver) {
    JudgeFixture fixture(layout(), cache());
    fixture.replace_driver(fixtures / driver);
    return fixture.judge(fixture.reference(), false);
}

std::vector<std::string> judge_honest() {
    const fs::path reference = layout().reference / "token-lookup/lookup.cpp";
    return {"test", "token-lookup", "--from", reference.string(), "--format", "json"};
}

/// The engine may find no way to judge, which is exit 4 and at most a report that says so, or get along all
/// the same; but it may not fail the submission.
void expect_no_grade(const sys::RunOutcome& outcome) {
    INFO(outcome.output);
    CHECK_FALSE(outcome.timed_out);
    CHECK_FALSE(outcome.exit.signalled);
    const bool allowed = outcome.exit.code == 0 || outcome.exit.code == 4;
    CHECK_MESSAGE(allowed, "exit ", outcome.exit.code);
    const auto report = hostile::report_of(outcome);
    const bool judged = outcome.exit.code == 0;
    CHECK((report.is_object() || !judged));
    if (!report.is_object()) return;
    CHECK(report["verdict"] == (judged ? "accepted" : "judge_error"));
    CHECK((report["score"]["points"] == report["score"]["max"]) == judged);
}

} // namespace

TEST_CASE("a driver that breaks is a judge_error without points") {
    for (const auto& entry : fs::directory_iterator(fixtures)) {
        const std::string driver = entry.path().filename();
        CAPTURE(driver);
        const model::Judgement judgement = judge_with(driver);
        CHECK(judgement.verdict == Verdict::judge_error);
        CHECK(judgement.tests.back().verdict == Verdict::judge_error);
        CHECK(judgement.tests.back().message.find("the judge itself stopped") != std::string::npos);
        CHECK(judgement.summary == "The judge itself failed; this says nothing about your code.");
        CHECK(hostile::running_children().empty());
    }
}

TEST_CASE("a driver that is no program cannot be started") {
    JudgeFixture fixture(layout(), cache());
    fixture.replace_driver(fs::path(ENGINE_SOURCE_DIR) / "README.md");
    CHECK_THROWS_AS(fixture.judge(fixture.reference(), false), model::EnvironmentError);
}

TEST_CASE("a driver killed in the middle of a call leaves no worker and no grade") {
    hostile::adopt_orphans();
    const JudgeFixture fixture(layout(), cache());
    const std::string sleeper =
        "#include \"contract.h\"\n#include <unistd.h>\n"
        "namespace exercise { Status lookup(Matrix<const float>, Ids, Matrix<float>) {"
        " sleep(100); return {}; } }\n";
    const fs::path driver = fixture.kit().driver().path;
    const pid_t main_thread = gettid();
    std::atomic<bool> killed = false;
    std::thread killer([&] {
        for (int look = 0; look < 60'000 && !killed; ++look) {
            std::ifstream children("/proc/self/task/" + std::to_string(main_thread) + "/children");
            for (pid_t pid = 0; children >> pid;) {
                std::error_code error;
                if (fs::read_symlink("/proc/" + std::to_string(pid) + "/exe", error) != driver) continue;
                usleep(20'000);
                killed = kill(pid, SIGKILL) == 0;
            }
            usleep(1'000);
        }
    });
    const model::Judgement judgement = fixture.judge({"sleeper", {{"lookup.cpp", sleeper}}}, false);
    killer.join();
    REQUIRE(killed);
    CHECK(judgement.verdict == Verdict::judge_error);
    CHECK(judgement.points == 0);
    CHECK(hostile::running_children().empty());
}

TEST_CASE("signals that interrupt every system call change nothing") {
    const JudgeFixture fixture(layout(), cache());
    struct sigaction quiet {};
    quiet.sa_handler = [](int) {};
    sigaction(SIGUSR1, &quiet, nullptr); // without SA_RESTART
    std::atomic<bool> done = false;
    const pthread_t judging = pthread_self();
    std::thread pest([&] {
        while (!done) {
            pthread_kill(judging, SIGUSR1);
            usleep(300);
        }
    });
    const model::Judgement judgement = fixture.judge(fixture.reference(), true);
    done = true;
    pest.join();
    CHECK(judgement.verdict == Verdict::accepted);
    CHECK(judgement.points == judgement.max_points);
}

TEST_CASE("too few descriptors cost no grade") {
    const Folder folder;
    // The first are too few to open the submission, the last of these to keep them apart from a worker's.
    for (const rlim_t most : {4, 5, 6, 8, 10, 12, 14, 16, 17, 18, 19, 20, 22, 24, 28, 32, 64, 72}) {
        CAPTURE(most);
        expect_no_grade(
            run_engine({folder.path(), ENGINE_CACHE, {{RLIMIT_NOFILE, most}}, false}, judge_honest()));
    }
}

TEST_CASE("a full disk costs no grade") {
    if (geteuid() != 0) return; // only root can have a small disk mounted
    const Folder folder;
    for (const char* size : {"64k", "1m", "16m", "70m"}) {
        CAPTURE(size);
        hostile::EngineRun how{folder.path(), folder.path() / "cache"};
        how.disk = size;
        expect_no_grade(run_engine(how, judge_honest()));
    }
}

TEST_CASE("files that may not grow cost no grade") {
    const Folder folder;
    for (const rlim_t most : {0, 4096, 1 << 20}) {
        CAPTURE(most);
        fs::remove_all(folder.path() / "cache");
        expect_no_grade(run_engine({folder.path(), folder.path() / "cache", {{RLIMIT_FSIZE, most}}, false},
                                   judge_honest()));
    }
}

TEST_CASE("too little memory costs no grade") {
    const Folder folder;
    for (const rlim_t most : {64, 256, 1024}) {
        CAPTURE(most);
        expect_no_grade(
            run_engine({folder.path(), ENGINE_CACHE, {{RLIMIT_AS, most << 20}}, false}, judge_honest()));
    }
}

TEST_CASE("no process to be had costs no grade") {
    if (geteuid() != 0) return; // the limit would count everything else this user runs
    const Folder folder;
    expect_no_grade(
        run_engine({folder.path(), folder.path() / "cache", {{RLIMIT_NPROC, 1}}, true}, judge_honest()));
}
