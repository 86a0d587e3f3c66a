#include "isolation/worker.h"
#include "levels.h"
#include "specimen.h"
#include "system/init.h"

#include <atomic>
#include <doctest/doctest.h>
#include <sched.h>
#include <sys/wait.h>
#include <thread>

namespace {

std::string network() {
    return std::filesystem::read_symlink("/proc/self/ns/net").string();
}

} // namespace

TEST_CASE("workers with a common workplace share a network that is not the host's, and their groups") {
    const Specimen specimen;
    at_each_level("AB", [&](char level) {
        const std::string host = network();
        const bool in_group = level == 'A';
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            int failed = 0;
            {
                const isolation::Workplace workplace;
                failed |= network() == host ? 1 : 0;
                for (int turn = 0; turn < 3; ++turn)
                    failed |=
                        specimen.answer({"self"}) == "2 1 1000" && specimen.run({"exit", "0"}).ok() ? 0 : 2;
                failed |= (groups_left() > 0) == in_group && groups_left() <= 2 ? 0 : 4;
                failed |= specimen.answer({"touch", "400"}) == "refused" ? 0 : 8;
                failed |= specimen.answer({"threads", "40"}) == "4" ? 0 : 16;
            }
            failed |= groups_left() == 0 ? 0 : 32;
            _exit(failed);
        }
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
        CHECK(network() == host);
    });
}

TEST_CASE("a process with several threads keeps its network, and its workers have their own all the same") {
    const Specimen specimen;
    at_each_level("B", [&](char) {
        const std::string host = network();
        std::atomic<bool> done = false;
        std::thread other([&] {
            while (!done)
                std::this_thread::yield();
        });
        {
            const isolation::Workplace workplace;
            CHECK(network() == host);
            CHECK((sys::sandbox_namespaces() & CLONE_NEWNET) != 0);
            CHECK(specimen.answer({"self"}) == "2 1 1000");
        }
        done = true;
        other.join();
    });
}

TEST_CASE("a group whose worker was ended for its memory serves no other") {
    const Specimen specimen;
    at_each_level("A", [&](char) {
        const isolation::KeptCgroups kept;
        CHECK(specimen.run({"touch", "600"}, true).exit.memory_exceeded);
        CHECK(groups_left() == 0);
        const sys::RunOutcome next = specimen.run({"touch", "64"}, true);
        CHECK(next.ok());
        CHECK_FALSE(next.exit.memory_exceeded);
    });
}
