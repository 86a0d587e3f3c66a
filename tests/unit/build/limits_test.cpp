#include "build/limits.h"

#include <csignal>
#include <doctest/doctest.h>

using build::CompilerRun;
using build::fault_of_ours;
using build::killed_from_outside;
using build::limit_hit;
using build::Machine;
using sys::StageReport;

namespace {

CompilerRun failed(const std::string& output) {
    CompilerRun run;
    run.outcome.exit.code = 1;
    run.outcome.output = output;
    return run;
}

/// A run of g++ whose compiler was ended by a signal.
CompilerRun signalled(int signal, std::int64_t cpu_us = 100'000, std::int64_t peak_kib = 200 << 10) {
    CompilerRun run = failed("g++: fatal error: Killed signal terminated program cc1plus\n");
    run.watched = true;
    run.stages = {StageReport{"cc1plus", signal, 0, cpu_us, peak_kib}};
    return run;
}

/// What the learner reads of the limit, or empty.
std::string limit(const CompilerRun& run) {
    const auto hit = limit_hit(run, "linker");
    return hit ? hit->explanation : "";
}

bool names(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("the limit that ended a compile is named, and a learner's text cannot name one") {
    CHECK(limit(failed("")).empty());
    CHECK(limit(failed("lookup.cpp:1:2: error: #error cc1plus: out of memory\n")).empty());
    CompilerRun run = failed("cc1plus: out of memory allocating 65536 bytes\n");
    CHECK(names(limit(run), "2 GiB"));
    run.outcome.exit.cpu = std::chrono::seconds(60);
    CHECK(names(limit(run), "CPU time"));
    run.outcome.timed_out = true;
    CHECK(names(limit(run), "after 120 s"));
}

TEST_CASE("more than 1 MiB of messages is the submission's doing, although no program has reported") {
    CompilerRun run = failed(std::string(1 << 20, 'm'));
    run.watched = true;
    run.outcome.exit.signalled = true;
    run.outcome.exit.code = SIGKILL;
    run.outcome.output_exceeded = true;
    CHECK(limit_hit(run, "preprocessor")->message == "the preprocessor wrote more than 1 MiB of messages");
    CHECK(names(limit(run), "linker was stopped after 1 MiB of messages: begin with the first one"));
    CHECK_FALSE(killed_from_outside(run));
    CHECK_FALSE(fault_of_ours(run, {.disk_is_full = true, .few_descriptors = true}));
    run.outcome.output_exceeded = false;
    CHECK(killed_from_outside(run));
}

TEST_CASE("a program of the compiler's that its limits ended is the submission's doing") {
    CHECK(names(limit(signalled(SIGXCPU)), "CPU time"));
    CHECK(names(limit(signalled(SIGKILL, 60'000'000)), "CPU time"));
    CHECK(names(limit(signalled(SIGXFSZ)), "64 MiB"));
    CHECK(names(limit(signalled(SIGKILL, 100'000, 1 << 20)), "2 GiB")); // by a cgroup, with 1 GiB
    for (const CompilerRun& run :
         {signalled(SIGXCPU), signalled(SIGKILL, 60'000'000), signalled(SIGXFSZ),
          signalled(SIGKILL, 100'000, 1 << 20), signalled(SIGSEGV), signalled(SIGABRT)})
        CHECK_FALSE(killed_from_outside(run));
}

TEST_CASE("a small compiler that was killed was killed from outside, and names no limit") {
    for (const int signal : {SIGKILL, SIGTERM, SIGHUP}) {
        CHECK(killed_from_outside(signalled(signal)));
        CHECK(limit(signalled(signal)).empty());
    }
    CompilerRun driver = failed("");
    driver.outcome.exit.signalled = true;
    driver.outcome.exit.code = SIGKILL;
    CHECK(killed_from_outside(driver));
    driver.outcome.timed_out = true; // then it was the engine
    CHECK_FALSE(killed_from_outside(driver));
}

TEST_CASE("a full disk is no fault of the program, and a program cannot pretend one") {
    const std::string said =
        "lookup.cpp: In function 'f':\ncc1plus: fatal error: error closing -: No space left on device\n";
    const Machine full{.disk_is_full = true};
    CHECK(fault_of_ours(failed(said), full) == "No space left on device");
    CHECK_FALSE(fault_of_ours(failed(said), {}));
    CHECK_FALSE(
        fault_of_ours(failed("lookup.cpp:1:2: error: #error cc1plus: No space left on device\n"), full));
    CHECK(fault_of_ours(
        failed("Fatal error: can't write 12 bytes to section .text of a.o: 'No space left on device'\n"),
        full));
    CompilerRun fine = failed(said);
    fine.outcome.exit.code = 0;
    CHECK_FALSE(fault_of_ours(fine, full));
}

TEST_CASE("too few descriptors count where there are few") {
    const CompilerRun run = failed("cc1plus: fatal error: a.h: Too many open files\n");
    CHECK(fault_of_ours(run, {.few_descriptors = true}));
    CHECK_FALSE(fault_of_ours(run, {}));
}

TEST_CASE("a compiler that cannot start its programs is no fault of the program") {
    CompilerRun run =
        failed("g++: fatal error: cannot execute 'cc1plus': vfork: Resource temporarily unavailable\n");
    CHECK_FALSE(fault_of_ours(run, {}));
    run.watched = true;
    CHECK(names(fault_of_ours(run, {}).value(), "could not start its programs (g++: fatal error: cannot"));
    run.stages = {StageReport{"cc1plus", 0, EAGAIN, 0, 0}};
    CHECK(fault_of_ours(run, {}));
    run.stages = {StageReport{"cc1plus", 1 << 8, 0, 100, 100}};
    CHECK_FALSE(fault_of_ours(run, {}));
}
