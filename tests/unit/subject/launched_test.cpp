// Workers that another program starts, and lets report when they have ended. `env` is such a program: it
// becomes what it starts.
#include "bound.h"
#include "isolation/worker_root.h"
#include "proxies.h"

#include <doctest/doctest.h>

namespace {

bool can_launch() {
    const std::string& obstacle = isolation::namespace_obstacle(true);
    if (!obstacle.empty()) MESSAGE("skipped: " << obstacle);
    return obstacle.empty();
}

class Launched {
  public:
    Launched(model::Launcher launcher, bool fresh) : program_(open(FIXTURE_WORKER, O_RDONLY | O_CLOEXEC)) {
        subject::WorkerProgram worker;
        worker.fd = program_.get();
        worker.limits.wall = std::chrono::seconds(10);
        worker.limits.output_kib = 4;
        worker.launcher = std::move(launcher);
        session().bind(worker, fresh, listener_);
        session().begin_case();
    }
    ~Launched() { session().unbind(); }

    static subject::Session& session() { return subject::Session::current(); }
    static void next_case() {
        session().end_case();
        session().begin_case();
    }
    static std::vector<subject::WorkerEnd> ends() {
        session().unbind();
        return session().take_ends();
    }

  private:
    Listening listener_;
    sys::Fd program_;
};

} // namespace

TEST_CASE(
    "one launched worker serves several cases, ends when it is told to, and all that was printed is kept") {
    if (!can_launch()) return;
    Launched launched({"/usr/bin/env", {}, {}}, false);
    CHECK(subject::sum(std::vector<float>{1, 2}) == 3);
    launched.next_case();
    CHECK(subject::sum(std::vector<float>{1, 2}) == 3);
    const auto ends = launched.ends();
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].first_case == 0);
    CHECK(ends[0].last_case == 1);
    CHECK(ends[0].trouble.empty());
}

TEST_CASE("where each case has a worker of its own, each of them ends so") {
    if (!can_launch()) return;
    Launched launched({"/usr/bin/env", {}, {}}, true);
    CHECK(subject::sum(std::vector<float>{1, 2}) == 3);
    launched.next_case();
    CHECK(subject::sum(std::vector<float>{1, 2}) == 3);
    const auto ends = launched.ends();
    REQUIRE(ends.size() == 2);
    CHECK(ends[1].first_case == 1);
    CHECK(ends[1].trouble.empty());
}

TEST_CASE("a launcher that does not start the program is lost before the first call, with its words") {
    if (!can_launch()) return;
    Launched launched({"/usr/bin/env", {"--no-such-option"}, {}}, false);
    CHECK_THROWS_AS(subject::sum(std::vector<float>{1}), subject::CallLost);
    const auto ends = launched.ends();
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].before_ready);
    CHECK(ends[0].trouble == "it ended with status 125 before the first test");
    CHECK(ends[0].shown.find("no-such-option") != std::string::npos);
}
