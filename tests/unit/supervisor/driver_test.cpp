#include "supervisor/driver.h"

#include "model/errors.h"
#include "system/pipe.h"

#include <chrono>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

using namespace std::chrono_literals;

namespace {

/// A driver that is a shell script.
class Script {
  public:
    explicit Script(const std::string& body) {
        std::string name = (std::filesystem::temp_directory_path() / "engine-driver-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
        job.driver = folder_ / "driver";
        std::ofstream(job.driver) << "#!/bin/sh\n" << body << '\n';
        std::filesystem::permissions(job.driver, std::filesystem::perms::owner_all);
        job.worker_fd = 0;
        job.patience = 20s;
    }
    Script(const Script&) = delete;
    Script& operator=(const Script&) = delete;
    ~Script() { std::filesystem::remove_all(folder_); }

    events::DriverRun run() {
        const auto start = std::chrono::steady_clock::now();
        events::DriverRun result = supervisor::run_driver(job);
        took = std::chrono::steady_clock::now() - start;
        return result;
    }
    /// What the script left in a file of this name, beside it.
    std::string left(const char* name) {
        std::ifstream file(folder_ / name);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    supervisor::DriverJob job;
    std::chrono::nanoseconds took{0};

  private:
    std::filesystem::path folder_;
};

const std::string start = R"(echo '{"event":"start","name":"a"}' >&3)";
const std::string done = R"(echo '{"event":"done"}' >&3)";

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a driver that says all and exits with 0 is complete") {
    Script script(start + "\n" + done);
    const events::DriverRun run = script.run();
    CHECK(run.complete);
    CHECK(run.trouble.empty());
    REQUIRE(run.events.size() == 2);
    CHECK(std::get<events::CaseStarted>(run.events[0]).name == "a");
}

TEST_CASE("events are heard while the driver runs, up to the first line that is none") {
    Script script(start + "\nwhile [ ! -e \"$(dirname \"$0\")/heard\" ]; do sleep 0.01; done\n" + start +
                  "\necho nonsense >&3\n" + done);
    int heard = 0;
    script.job.heard = [&](const events::Event& event) {
        CHECK(std::get<events::CaseStarted>(event).name == "a");
        if (++heard == 1) std::ofstream(script.job.driver.parent_path() / "heard");
    };
    CHECK_FALSE(script.run().complete);
    CHECK(heard == 2);
}

TEST_CASE("the driver gets its request, and no more of our environment than it needs") {
    Script script("cat > \"$(dirname \"$0\")/request\"; env > \"$(dirname \"$0\")/environment\"\n" + done);
    script.job.request.seed = 42;
    CHECK(script.run().complete);
    CHECK(events::read_request(script.left("request")).seed == 42);
    CHECK_FALSE(contains(script.left("environment"), "HOME="));
}

TEST_CASE("a driver that exits without its last word is not complete") {
    Script script(start);
    const events::DriverRun run = script.run();
    CHECK_FALSE(run.complete);
    CHECK(run.events.size() == 1);
    CHECK(run.trouble == "the driver exited with status 0");
}

TEST_CASE("words after the last word make it no last word") {
    Script script(done + "\n" + start);
    CHECK_FALSE(script.run().complete);
}

TEST_CASE("a line of nonsense ends the reading, and what came before is kept") {
    Script script(start + "\necho 'all tests passed' >&3\n" + done);
    const events::DriverRun run = script.run();
    CHECK_FALSE(run.complete);
    CHECK(run.events.size() == 1);
    CHECK(contains(run.trouble, "the driver said something that is no event"));
}

TEST_CASE("a line that was not finished is trouble, even when it would read well") {
    Script script(start + "\nprintf '%s' '{\"event\":\"done\"}' >&3");
    const events::DriverRun run = script.run();
    CHECK_FALSE(run.complete);
    CHECK(run.events.size() == 1);
    CHECK(run.trouble == "the driver stopped in the middle of an event");
}

TEST_CASE("an exit status other than 0 is trouble, with what it complained about") {
    Script script("echo 'no such worker' >&2\n" + done + "\nexit 1");
    const events::DriverRun run = script.run();
    CHECK_FALSE(run.complete);
    CHECK(run.trouble == "the driver exited with status 1 (no such worker\n)");
}

TEST_CASE("complaints of a complete run are no trouble") {
    Script script("echo 'by the way' >&2\n" + done);
    const events::DriverRun run = script.run();
    CHECK(run.complete);
    CHECK(run.trouble.empty());
}

TEST_CASE("a signal is named, also in the middle of an event") {
    Script script("printf '{\"ev' >&3\nkill -SEGV $$");
    const events::DriverRun run = script.run();
    CHECK_FALSE(run.complete);
    CHECK(contains(run.trouble, "the driver was ended by a signal: Segmentation fault"));
}

TEST_CASE("a driver that stays silent is ended when its time is up") {
    Script script(start + "\nsleep 60\n" + done);
    script.job.patience = 300ms;
    const events::DriverRun run = script.run();
    CHECK_FALSE(run.complete);
    CHECK(run.events.size() == 1);
    CHECK(run.trouble == "the driver did not finish in time");
    CHECK(script.took < 20s);
}

TEST_CASE("a run has time for all calls of its tests, and one that measures at full size has minutes") {
    events::Request request;
    request.limits.wall = 3s;
    CHECK(supervisor::patience(request) == 200s);
    request.tests = {"first", "second"};
    CHECK(supervisor::patience(request) == 10 * (20s + 2 * (5s + 36s)));
    request.total = 30s; // that calls have together
    request.slowdown = 5;
    CHECK(supervisor::patience(request) == 10 * (20s + 2 * 5s + 150s));
    request.timed = true; // its cases are the suite's, and none are named
    request.tests.clear();
    CHECK(supervisor::patience(request) == 10min);
}

TEST_CASE("a driver that closes its pipe and lives on is ended when its time is up") {
    Script script(done + "\nexec 3>&-\nsleep 60");
    script.job.patience = 300ms;
    const events::DriverRun run = script.run();
    CHECK_FALSE(run.complete);
    CHECK(run.trouble == "the driver did not finish in time");
    CHECK(script.took < 20s);
}

TEST_CASE("a process that outlives its driver with the pipe in hand is not waited for") {
    Script script("sleep 60 &\necho $! > \"$(dirname \"$0\")/pid\"\n" + done);
    const events::DriverRun run = script.run();
    CHECK(run.complete);
    CHECK(script.took < 15s);
    const int pid = std::stoi(script.left("pid"));
    bool gone = false;
    for (int i = 0; i < 200 && !gone; ++i) {
        gone = kill(pid, 0) != 0 || [&] { // a zombie that nobody reaps yet is gone as well
            std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
            return contains(std::string(std::istreambuf_iterator<char>(stat), {}), ") Z");
        }();
        if (!gone) usleep(10'000);
    }
    CHECK(gone);
}

TEST_CASE("a flood of events ends the driver, and is named") {
    Script script("while :; do cat /dev/zero; done >&3");
    const events::DriverRun run = script.run();
    CHECK_FALSE(run.complete);
    CHECK(run.trouble == "the driver said more than 64 MiB");
    CHECK(script.took < 20s);
}

TEST_CASE("a flood of complaints is cut, and the driver goes on without a listener") {
    Script script("trap '' PIPE\nhead -c 1000000 /dev/zero | tr '\\0' 'x' >&2\n" + done + "\nexit 3");
    const events::DriverRun run = script.run();
    CHECK(contains(run.trouble, "exited with status 3"));
    CHECK(run.trouble.size() < 66000);
    CHECK(run.trouble.size() > 60000);
}

TEST_CASE("a run that is cancelled ends at once, and says so") {
    sys::Pipe cancel = sys::make_pipe();
    Script script(start + "\nsleep 60");
    script.job.cancel_fd = cancel.read.get();
    cancel.write.reset();
    const events::DriverRun run = script.run();
    CHECK(run.interrupted);
    CHECK_FALSE(run.complete);
    CHECK(script.took < 15s);
}

TEST_CASE("a cancel that nobody pulls changes nothing") {
    sys::Pipe cancel = sys::make_pipe();
    Script script(done);
    script.job.cancel_fd = cancel.read.get();
    const events::DriverRun run = script.run();
    CHECK(run.complete);
    CHECK_FALSE(run.interrupted);
}

TEST_CASE("a driver that cannot be started is the machine's fault") {
    Script script(done);
    script.job.driver += "-that-is-not-there";
    CHECK_THROWS_AS(supervisor::run_driver(script.job), model::EnvironmentError);
}

TEST_CASE("a request larger than a pipe is refused, not hung on") {
    Script script(done);
    script.job.request.tests.assign(30000, std::string(100, 'x'));
    CHECK_THROWS_AS(supervisor::run_driver(script.job), model::EnvironmentError);
}
