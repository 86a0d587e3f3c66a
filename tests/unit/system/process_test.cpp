#include "system/process.h"

#include "model/errors.h"
#include "system/pipe.h"

#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sys/wait.h>

namespace {

sys::Command shell(const std::string& script) {
    sys::Command command;
    command.program = "/bin/sh";
    command.arguments = {"-c", script};
    command.environment = {"PATH=/usr/bin:/bin"};
    return command;
}

sys::RunOutcome run(const std::string& script, sys::RunLimits limits = {}) {
    return sys::run(shell(script), limits);
}

/// A zombie that the machine's first process has yet to reap does not run any more.
bool is_running(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return (file >> number >> name >> state) && state != "Z";
}

} // namespace

TEST_CASE("exit status, signal and output are what the program made them") {
    const sys::RunOutcome said = run("echo out; echo err >&2; exit 3");
    CHECK(said.output == "out\nerr\n");
    CHECK(said.exit.code == 3);
    CHECK_FALSE(said.exit.signalled);
    const sys::RunOutcome killed = run("kill -TERM $$");
    CHECK(killed.exit.signalled);
    CHECK(killed.exit.code == SIGTERM);
    CHECK(run("true").ok());
}

TEST_CASE("nothing is inherited: environment, descriptors, signal mask") {
    setenv("ENGINE_TEST_SECRET", "secret", 1);
    CHECK(run("echo \"[$ENGINE_TEST_SECRET]\"").output == "[]\n");
    unsetenv("ENGINE_TEST_SECRET");
    const int open_on_purpose = open("/dev/null", O_RDONLY); // without close-on-exec
    CHECK(run("ls /proc/self/fd | sort -n | head -3 | tr '\\n' ' '").output == "0 1 2 ");
    CHECK(run("test -e /proc/self/fd/" + std::to_string(open_on_purpose) + " && echo open").output.empty());
    close(open_on_purpose);
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    CHECK(run("kill -TERM $$; echo survived").exit.code == SIGTERM);
    sigprocmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("a program that does not end in time is killed with all it started") {
    const sys::RunOutcome outcome = run("sleep 100 & echo $!; sleep 100", {std::chrono::milliseconds(300)});
    CHECK(outcome.timed_out);
    CHECK(outcome.exit.code == SIGKILL);
    CHECK(outcome.wall < std::chrono::seconds(20));
    const int grandchild = std::stoi(outcome.output);
    for (int i = 0; i < 100 && is_running(grandchild); ++i)
        poll(nullptr, 0, 10);
    CHECK_FALSE(is_running(grandchild));
}

TEST_CASE("output beyond the limit ends the program, output up to it is kept") {
    const sys::RunOutcome flood = run("while :; do echo 0123456789; done", {.output_bytes = 1000});
    CHECK(flood.output_exceeded);
    CHECK(flood.output.size() == 1000);
    const sys::RunOutcome exact = run("printf 0123456789", {.output_bytes = 10});
    CHECK(exact.ok());
    CHECK(exact.output == "0123456789");
}

TEST_CASE("output is heard while the program runs, and standard input is what the command has for it") {
    std::vector<std::string> heard;
    const auto listen = [&](std::string_view so_far) { heard.emplace_back(so_far); };
    CHECK(sys::run(shell("echo a; sleep 0.2; echo b"), {}, -1, listen).output == "a\nb\n");
    REQUIRE(heard.size() >= 2);
    CHECK(heard.front() == "a\n");
    CHECK(heard.back() == "a\nb\n");

    CHECK(run("cat").output.empty());
    sys::Pipe pipe = sys::make_pipe();
    REQUIRE(write(pipe.write.get(), "given", 5) == 5);
    pipe.write.reset();
    sys::Command command = shell("cat");
    command.fds = {{pipe.read.get(), 0}};
    CHECK(sys::run(command, {}).output == "given");
}

TEST_CASE("a run is given up when it is cancelled") {
    sys::Pipe cancel = sys::make_pipe();
    REQUIRE(write(cancel.write.get(), "x", 1) == 1);
    CHECK(sys::run(shell("sleep 100"), {}, cancel.read.get()).interrupted);
}

TEST_CASE("a program that cannot be executed is our failure, not the program's") {
    sys::Command command;
    command.program = "/nonexistent/program";
    CHECK_THROWS_WITH_AS(sys::spawn(command), doctest::Contains("execute: No such file"),
                         model::EnvironmentError);
}

TEST_CASE("a limit that cannot be set is reported with its step") {
    auto confinement = std::make_shared<sys::Confinement>();
    confinement->limits = {{RLIMIT_NOFILE, 1}};
    sys::Command command = shell("true");
    command.confinement = confinement;
    CHECK_NOTHROW(sys::spawn(command).wait());
    confinement->limits = {{9999, 1}};
    CHECK_THROWS_WITH_AS(sys::spawn(command), doctest::Contains("resource limits: Invalid argument"),
                         model::EnvironmentError);
}

TEST_CASE("a rehearsal takes every step and runs nothing") {
    sys::Command command = shell("exit 7");
    command.rehearsal = true;
    CHECK(sys::spawn(command).wait().code == 0);
    command.rehearsal = false;
    CHECK(sys::spawn(command).wait().code == 7);
}

TEST_CASE("processes are reaped however they end, and none is left") {
    { const sys::Process forgotten = sys::spawn(shell("sleep 100")); }
    sys::Process replaced = sys::spawn(shell("sleep 100"));
    replaced = sys::spawn(shell("exit 0"));
    CHECK(replaced.wait().code == 0);
    CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_CASE("the memory of whoever started a program is not taken for the program's") {
    const auto peak = [](const std::string& script) { return run(script).exit.peak_kib; };
    CHECK(peak("head -c 100000000 /dev/zero | tail -c 100000000 | tail -c 1") > 90'000);
    std::vector<char> large(300 << 20, 1);
    CHECK(large.back() == 1);
    CHECK(peak("exit 0") == 0);
}
