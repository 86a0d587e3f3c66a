#include "subject/supply.h"

#include "system/fd.h"

#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using subject::SerialExecutor;
using subject::Supply;
using subject::Worker;
using subject::WorkerProgram;

namespace {

constexpr std::size_t small = 16 << 20; // slots and a little more
constexpr std::size_t large = 32 << 20;

/// Processes that this one started and that have not been reaped, those of every thread.
int children() {
    int count = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream stream(task.path() / "children");
        for (int pid = 0; stream >> pid;)
            ++count;
    }
    return count;
}

struct Fixture {
    sys::Fd fd{open(FIXTURE_WORKER, O_RDONLY | O_CLOEXEC)};
    WorkerProgram program;

    Fixture() {
        REQUIRE(fd);
        program.fd = fd.get();
    }
};

} // namespace

TEST_CASE("a hand does what it is given in order, and all of it before it ends") {
    std::string done;
    {
        SerialExecutor hand;
        for (const char letter : {'a', 'b', 'c'})
            hand.give([&done, letter] { done += letter; });
        hand.wait(0);
        CHECK(done == "abc");
        hand.give([&done] { done += 'd'; });
    }
    CHECK(done == "abcd");
}

TEST_CASE("waiting for a hand returns when few enough things are left") {
    std::atomic<bool> go = false;
    SerialExecutor hand;
    hand.give([&] { go.wait(false); });
    hand.give([] {});
    hand.wait(2); // both are still to be done
    go = true;
    go.notify_all();
    hand.wait(0);
}

TEST_CASE_FIXTURE(Fixture, "a worker that was ordered is the one that is taken") {
    Supply supply;
    supply.order(program, small);
    std::this_thread::sleep_for(std::chrono::milliseconds(200)); // no harm where that is too short
    const int ordered = children();
    const std::unique_ptr<Worker> worker = supply.take(program, small);
    REQUIRE(worker);
    CHECK(worker->arena().bytes() == small);
    CHECK(ordered > 0);
    subject::Reply reply;
    subject::Death death;
    worker->arena().control().function = ~0U - 1; // no such function, so an answer without a call
    CHECK(worker->exchange(reply, death));
    CHECK(reply.kind == subject::ReplyKind::malformed);
}

TEST_CASE_FIXTURE(Fixture, "an order of another size does not count") {
    Supply supply;
    supply.order(program, small);
    CHECK(supply.take(program, large)->arena().bytes() == large);
}

TEST_CASE_FIXTURE(Fixture, "without an order a worker is started") {
    Supply supply;
    CHECK(supply.take(program, small) != nullptr);
}

TEST_CASE_FIXTURE(Fixture, "after closing no process is left, taken or not") {
    const int before = children();
    Supply supply;
    supply.order(program, small);
    supply.retire(supply.take(program, small));
    supply.order(program, small);
    supply.close();
    CHECK(children() == before);
}

TEST_CASE_FIXTURE(Fixture,
                  "what keeps a worker from starting is said to who takes it, and closing forgives it") {
    program.fd = -1;
    Supply supply;
    supply.order(program, small);
    CHECK_THROWS(supply.take(program, small));
    supply.order(program, small);
    supply.close();
}
