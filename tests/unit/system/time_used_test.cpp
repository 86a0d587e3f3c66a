#include "system/time_used.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;

namespace {

/// A process that does this until it is killed.
class Child {
  public:
    explicit Child(const std::function<void()>& act) : pid_(fork()) {
        REQUIRE(pid_ >= 0);
        if (pid_ != 0) return;
        act();
        for (;;)
            pause();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() { end(); }
    void end() {
        if (pid_ <= 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
        pid_ = -1;
    }
    int pid() const { return pid_; }

  private:
    pid_t pid_;
};

[[noreturn]] void spin() {
    for (;;)
        asm volatile("");
}

/// Whether it is so at some time soon; a busy machine takes its time.
bool soon(const std::function<bool()>& holds) {
    for (int i = 0; i < 2000; ++i) {
        if (holds()) return true;
        std::this_thread::sleep_for(5ms);
    }
    return false;
}

} // namespace

TEST_CASE("CPU time grows with what a process computes, in all its threads, and not while it sleeps") {
    const Child busy([] {
        std::thread([] { spin(); }).detach();
        pause();
    });
    const sys::TimeUsed used(busy.pid());
    const auto at_first = used.cpu();
    REQUIRE(at_first);
    CHECK(soon([&] { return used.cpu() > *at_first + 50ms; }));

    const Child idle([] {});
    const sys::TimeUsed unused(idle.pid());
    REQUIRE(soon([&] { return !unused.threads()->ready; }));
    const auto before = unused.cpu();
    std::this_thread::sleep_for(30ms);
    CHECK(unused.cpu() == before);
}

TEST_CASE("a thread that computes is ready, wherever it is, and one that sleeps is not") {
    const Child busy([] {
        std::thread([] { spin(); }).detach();
        pause();
    });
    const sys::TimeUsed used(busy.pid());
    CHECK(soon([&] { return used.threads()->ready; }));
    const Child idle([] { std::thread([] { pause(); }).detach(); });
    const sys::TimeUsed unused(idle.pid());
    CHECK(soon([&] { return !unused.threads()->ready; }));
}

TEST_CASE("a thread that begins changes who the threads are") {
    const Child idle([] {
        std::this_thread::sleep_for(200ms);
        std::thread([] { pause(); }).detach();
    });
    const sys::TimeUsed used(idle.pid());
    const auto at_first = used.threads();
    REQUIRE(at_first);
    CHECK(soon([&] { return used.threads()->who != at_first->who; }));
}

TEST_CASE("of a process that has ended, or none, nothing is known") {
    Child child([] {});
    const sys::TimeUsed used(child.pid());
    CHECK(used.cpu());
    CHECK(used.threads());
    child.end();
    CHECK_FALSE(used.cpu());
    CHECK_FALSE(used.threads());
    CHECK_FALSE(sys::TimeUsed(0).cpu());
    CHECK_FALSE(sys::TimeUsed(0).threads());
}
