#include "system/memory.h"

#include <csignal>
#include <cstring>
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

TEST_CASE("resident memory follows what was touched") {
    const sys::Fd memory = sys::open_memory(getpid(), false);
    REQUIRE(memory);
    const std::uint64_t before = sys::resident_kib(memory);
    constexpr std::size_t bytes = 64 << 20;
    void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(block != MAP_FAILED);
    CHECK(sys::resident_kib(memory) < before + 8192); // reserved is not resident
    std::memset(block, 1, bytes);
    CHECK(sys::resident_kib(memory) >= before + 60 * 1024);
    munmap(block, bytes);
    CHECK(sys::resident_kib(memory) < before + 8192);
}

TEST_CASE("a process that has ended has no memory") {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        pause();
        _exit(0);
    }
    const sys::Fd memory = sys::open_memory(child, false);
    CHECK(sys::resident_kib(memory) > 0);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    CHECK(sys::resident_kib(memory) == 0);
}
