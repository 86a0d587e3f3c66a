#include "system/shared_time.h"

#include "model/errors.h"

#include <chrono>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace std::chrono_literals;

TEST_CASE("what another process adds is in the total") {
    sys::SharedTime time;
    CHECK(time.total() == 0s);
    time.add(2s);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        sys::SharedTime(time.fd()).add(3s);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    CHECK(time.total() == 5s);
}

TEST_CASE("a descriptor that is none is refused") {
    CHECK_THROWS_AS(sys::SharedTime(-1), model::EnvironmentError);
}
