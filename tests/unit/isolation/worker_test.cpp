#include "isolation/files.h"
#include "isolation/worker.h"

#include "isolation/ceiling.h"
#include "isolation/level.h"
#include "isolation/observe.h"
#include "levels.h"
#include "model/errors.h"
#include "specimen.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace {

std::string mounts() {
    std::ifstream file("/proc/self/mounts");
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("a worker's own end is seen as it was") {
    const Specimen specimen;
    at_each_level("ABC", [&](char) {
        for (const bool sanitized : {false, true}) {
            CAPTURE(sanitized);
            CHECK(specimen.run({"exit", "0"}, sanitized).ok());
            CHECK(specimen.run({"exit", "3"}, sanitized).exit.code == 3);
            const sys::Exit aborted = specimen.run({"abort"}, sanitized).exit;
            CHECK(aborted.signalled);
            CHECK(aborted.code == SIGABRT);
            CHECK(specimen.run({"crash"}, sanitized).exit.code == SIGSEGV);
        }
    });
}

TEST_CASE("a worker cannot read the host's files, and finds its own libraries") {
    const Specimen specimen;
    at_each_level("ABC", [&](char) {
        CHECK(specimen.answer({"open", "/etc/passwd"}) != "opened");
        CHECK(specimen.answer({"open", OBSERVER}) != "opened");
        CHECK(specimen.answer({"open", "/usr/lib"}) != "opened");
        CHECK(specimen.answer({"open", "/dev/null"}) == "opened");
    });
}

TEST_CASE("a process with many files open starts workers as well") {
    const Specimen specimen;
    std::vector<sys::Fd> many;
    for (int i = 0; i < 100; ++i)
        many.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
    at_each_level("ABC", [&](char) {
        for (const bool sanitized : {false, true})
            CHECK(specimen.answer({"open", "/dev/null"}, sanitized) == "opened");
    });
}

TEST_CASE("it does not matter which number a ruleset happens to have") {
    const Specimen specimen;
    at_each_level("ABC", [&](char) {
        for (const bool sanitized : {false, true}) {
            // As when one thread closes its descriptors while another prepares a worker.
            sys::Command command = specimen.command({"open", "/etc/passwd"}, sanitized);
            command.fds = {{specimen.program.get(), command.confinement->landlock.get()}};
            CHECK(sys::run(command, {}).output != "opened\n");
            command.arguments = {"open", "/dev/null"};
            CHECK(sys::run(command, {}).output == "opened\n");
        }
    });
}

TEST_CASE("only a root of its own hides that a file exists") {
    const Specimen specimen;
    at_each_level("AB", [&](char) { CHECK(specimen.answer({"stat", "/etc/passwd"}) == "ENOENT"); });
    at_each_level("C", [&](char) { CHECK(specimen.answer({"stat", "/etc/passwd"}) == "seen"); });
}

TEST_CASE("in a namespace a worker is process 2 of user 1000") {
    const Specimen specimen;
    at_each_level("AB", [&](char) { CHECK(specimen.answer({"self"}) == "2 1 1000"); });
    at_each_level("C", [&](char) { CHECK(specimen.answer({"self"}) != "2 1 1000"); });
}

TEST_CASE("memory beyond the limit is refused, or ends the worker; memory below it is given") {
    const Specimen specimen;
    at_each_level("ABC", [&](char) {
        CHECK(specimen.answer({"touch", "24"}) == "touched");
        CHECK(specimen.answer({"touch", "400"}) == "refused");
    });
}

TEST_CASE("a cgroup ends a sanitized worker beyond its memory") {
    const Specimen specimen;
    at_each_level("A", [&](char) {
        const sys::RunOutcome within = specimen.run({"touch", "64"}, true);
        CHECK(within.ok());
        CHECK_FALSE(within.exit.memory_exceeded);
        const sys::RunOutcome beyond = specimen.run({"touch", "600"}, true);
        CHECK(beyond.exit.memory_exceeded);
        CHECK(beyond.exit.code == SIGKILL);
    });
}

TEST_CASE("without a cgroup a sanitized worker is watched") {
    const Specimen specimen;
    const auto outgrows = [&](const char* mebibytes) {
        sys::Process process = sys::spawn(specimen.command({"touch", mebibytes}, true));
        REQUIRE(process.watched());
        bool outgrown = false;
        pollfd ended{process.pidfd(), POLLIN, 0};
        while (!outgrown && poll(&ended, 1, static_cast<int>(sys::look_interval.count())) == 0)
            outgrown = process.outgrown();
        process.kill();
        CHECK(process.wait().memory_exceeded == outgrown);
        return outgrown;
    };
    at_each_level("BC", [&](char) {
        CHECK_FALSE(outgrows("64"));
        CHECK(outgrows("600"));
    });
}

TEST_CASE("threads beyond the limit are refused") {
    const Specimen specimen;
    at_each_level("AB", [&](char) {
        CHECK(specimen.answer({"threads", "4"}) == "4");
        CHECK(specimen.answer({"threads", "40"}) == "4");
    });
    if (geteuid() != 0)
        MESSAGE("skipped at level C: without a user of its own a worker's threads are not counted apart");
    else
        at_each_level("C", [&](char) { CHECK(specimen.answer({"threads", "40"}) == "4"); });
}

TEST_CASE("CPU time beyond the limit ends the worker with its own signal") {
    const Specimen specimen;
    at_each_level("BC", [&](char) {
        const sys::Exit exit = specimen.run({"spin"}).exit;
        CHECK(exit.signalled);
        CHECK(exit.code == SIGXCPU);
    });
}

TEST_CASE("a worker that is let go is killed, and leaves no process, mount or cgroup") {
    const Specimen specimen;
    const std::string before = mounts();
    at_each_level("ABC", [&](char) {
        const auto start = std::chrono::steady_clock::now();
        { const sys::Process process = sys::spawn(specimen.command({"sleep"})); }
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
        CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
        CHECK(mounts() == before);
        CHECK(groups_left() == 0);
    });
}

TEST_CASE("a process that cannot be dumped starts workers as well") {
    const Specimen specimen;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        prctl(PR_SET_DUMPABLE, 0);
        bool well = true;
        at_each_level("BC", [&](char) { well = well && specimen.run({"exit", "0"}).ok(); });
        _exit(well ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("a worker ends with the driver that was killed, and its cgroup is removed by the next") {
    const Specimen specimen;
    at_each_level("ABC", [&](char) {
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        const pid_t driver = fork();
        REQUIRE(driver >= 0);
        if (driver == 0) {
            sys::Command command = specimen.command({"sleep"});
            command.fds = {{ends[1], 1}};
            const sys::Process process = sys::spawn(command);
            raise(SIGKILL);
        }
        close(ends[1]);
        REQUIRE(waitpid(driver, nullptr, 0) == driver);
        char byte = 0;
        CHECK(read(ends[0], &byte, 1) == 0); // the worker's end is closed: it is gone
        close(ends[0]);
        const std::string group = "engine-group-" + std::to_string(driver) + "-";
        isolation::remove_orphaned_cgroups(std::chrono::milliseconds(500));
        for (const char* root : {"/sys/fs/cgroup/memory", "/sys/fs/cgroup/pids"}) {
            std::error_code error;
            for (std::filesystem::recursive_directory_iterator it(root, error), end; !error && it != end;
                 it.increment(error))
                CHECK_FALSE(it->path().filename().string().starts_with(group));
        }
    });
}

TEST_CASE("less isolation than was observed is refused, as much is given") {
    const Specimen specimen;
    if (const std::string reason = why_not('C'); !reason.empty()) {
        MESSAGE("skipped: " << reason);
        return;
    }
    const Ceiling ceiling('C');
    setenv("ENGINE_ISOLATION_FLOOR", "B", 1);
    CHECK_THROWS_AS(specimen.command({"exit"}), model::EnvironmentError);
    setenv("ENGINE_ISOLATION_FLOOR", "C", 1);
    CHECK_NOTHROW(specimen.command({"exit"}));
    unsetenv("ENGINE_ISOLATION_FLOOR");
}

TEST_CASE("a ceiling that is no level is an error with a remedy") {
    setenv("ENGINE_ISOLATION_CEILING", "best", 1);
    CHECK_THROWS_WITH_AS(isolation::ceiling(), doctest::Contains("unset it"), model::EnvironmentError);
    unsetenv("ENGINE_ISOLATION_CEILING");
    CHECK(isolation::ceiling() == model::IsolationLevel::A);
}

TEST_CASE("the loader is told of a driver's folder only where it does not look by itself") {
    CHECK(isolation::library_path({}).empty());
    CHECK(isolation::library_path({"/dev/nvidia0", "/usr/lib/x86_64-linux-gnu/libcuda.so.1"}).empty());
    CHECK(
        isolation::library_path({"/dev/nvidia0", "/usr/local/nvidia/lib64/libcuda.so",
                                 "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libdxcore.so"}) ==
        "LD_LIBRARY_PATH=/usr/local/nvidia/lib64:/usr/lib/wsl/lib");
}

TEST_CASE("a worker with a GPU's driver has the driver's files, and nothing else of the host") {
    const Specimen specimen;
    const std::filesystem::path device = std::filesystem::temp_directory_path() / "engine-stand-in-device";
    std::ofstream(device) << "x";
    std::filesystem::permissions(device, std::filesystem::perms(0444));
    const auto answer = [&](std::vector<std::string> arguments) {
        sys::Command command = specimen.command(std::move(arguments));
        command.confinement =
            isolation::confine_worker({.limits = small_limits(),
                                       .program_fd = specimen.program.get(),
                                       .gpu_files = {device, "/dev/random", "/dev/nvidia-none"}});
        std::string text = sys::run(command, {std::chrono::seconds(10), 4096}).output;
        if (text.ends_with('\n')) text.pop_back();
        return text;
    };
    at_each_level("ABC", [&](char) {
        CHECK(answer({"open", device}) == "opened");
        CHECK(specimen.answer({"open", device}) != "opened");
        CHECK(answer({"open", "/etc/passwd"}) != "opened");
        CHECK(answer({"open", "/dev/null"}) == "opened");
        for (const char* driver : {"/proc/devices", "/proc/stat", "/sys/devices/system/cpu/online"})
            if (std::filesystem::exists(driver)) CHECK(answer({"open", driver}) == "opened");
        for (const char* other :
             {"/proc/meminfo", "/proc/kallsyms", "/proc/sys/kernel/hostname", "/proc/version"})
            CHECK(answer({"open", other}) != "opened");
        CHECK(answer({"name"}) == "named"); // a driver does not work where it cannot name its threads
        CHECK(specimen.answer({"name"}) != "named");
        CHECK(answer({"socket"}) == "listening");
        CHECK(specimen.answer({"socket"}) == "refused");
        CHECK(answer({"command", "/dev/random"}) == "answered");
        CHECK(answer({"command", "/dev/urandom"}) != "answered"); // every worker may read it, and no more
    });
    std::filesystem::remove(device);
}

TEST_CASE("what a canary in place of such a worker could do that none may is named") {
    isolation::CanaryReport report;
    CHECK_FALSE(isolation::possible_with_gpu(report).empty()); // what was not tried counts as possible
    const auto observed = isolation::observe_with_gpu(CANARY, {"/dev/null"});
    CHECK(std::ranges::find(observed, "socket: EPERM") != observed.end());
}
