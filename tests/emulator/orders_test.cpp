#include "kernels/polling.h"
#include "kernels/waiting.h"
#include "observed.h"

#include "model/thread_orders.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

/// In which order blocks and threads run, and what becomes of those that wait for each other.
namespace {

using emulator::FindingKind;

constexpr int orders = model::thread_orders;

/// What a launch leaves behind under each order.
template <class Run>
std::set<std::vector<int>> outcomes(int size, Run run) {
    std::set<std::vector<int>> seen;
    for (int order = 0; order < orders; ++order) {
        emulator::shift_orders(static_cast<std::uint32_t>(order));
        std::vector<int> out(static_cast<std::size_t>(size));
        CHECK(run(out.data()) == cudaSuccess);
        seen.insert(out);
    }
    return seen;
}

void expect_deadlock(int (*kernel)(), const std::string& words) {
    for (int order = 0; order < orders; ++order) {
        emulator::shift_orders(static_cast<std::uint32_t>(order));
        CHECK(kernel() == cudaErrorLaunchTimeout);
        emulator::Trace trace = emulator::take_trace();
        REQUIRE(trace.findings.size() == 1);
        CHECK(trace.findings[0].kind == FindingKind::deadlock);
        CHECK_MESSAGE(trace.findings[0].message.find(words) != std::string::npos, trace.findings[0].message);
        cudaDeviceReset();
    }
}

} // namespace

TEST_CASE("blocks and threads begin in four different orders, each of them in each") {
    observe();
    constexpr int blocks = 9, threads = 70;
    std::set<std::vector<int>> of_blocks, of_threads, of_warps;
    for (int order = 0; order < orders; ++order) {
        emulator::shift_orders(static_cast<std::uint32_t>(order));
        std::vector<int> b(blocks), t(threads);
        waiting::begun(b.data(), blocks, t.data(), threads);
        std::vector<int> warps{t[0] / 32, t[32] / 32, t[64] / 32};
        of_blocks.insert(b);
        of_threads.insert(t);
        of_warps.insert(warps);
        std::sort(b.begin(), b.end());
        std::sort(t.begin(), t.end());
        std::vector<int> every(threads);
        std::iota(every.begin(), every.end(), 0);
        CHECK(t == every);
        every.resize(blocks);
        CHECK(b == every);
    }
    CHECK(of_blocks.size() >= 3);
    CHECK(of_threads.size() == orders);
    CHECK(of_warps.size() >= 2);
    observe();
}

TEST_CASE("what depends on the order of threads shows") {
    CHECK(outcomes(128, [](int* out) { return waiting::slots_by_atomic_order(out, 128); }).size() > 1);
    CHECK(outcomes(16, waiting::maximum_without_retry).size() > 1);
    CHECK(outcomes(1, waiting::sum_that_gives_up).size() > 1);
    CHECK(outcomes(1, waiting::last_writer).size() > 1);
    CHECK(outcomes(1, waiting::last_block).size() > 1);
    observe();
}

TEST_CASE("the same launch has the same order in every program") {
    emulator::shift_orders(3);
    std::vector<int> first(128), again(128);
    waiting::slots_by_atomic_order(first.data(), 128);
    waiting::last_block(again.data());
    waiting::slots_by_atomic_order(again.data(), 128);
    CHECK(first == again);
    observe();
}

TEST_CASE("what locks and flags protect does not depend on it") {
    for (int order = 0; order < orders; ++order) {
        emulator::shift_orders(static_cast<std::uint32_t>(order));
        CHECK(waiting::fenced_lock_between_blocks() == cudaSuccess);
        CHECK(waiting::release_and_acquire() == cudaSuccess);
        CHECK(waiting::plain_polling() == cudaSuccess);
    }
    CHECK(observe().findings.empty());
}

TEST_CASE("a block that waits for one that begins later goes on once that has ended") {
    for (int order = 0; order < orders; ++order) {
        emulator::shift_orders(static_cast<std::uint32_t>(order));
        CHECK(waiting::flag_of_a_later_block() == cudaSuccess);
    }
    CHECK(observe().findings.empty());
}

TEST_CASE("waiting that ends is no deadlock, however long it takes") {
    for (int order = 0; order < orders; ++order) {
        emulator::shift_orders(static_cast<std::uint32_t>(order));
        CHECK(polling::handing_over(2000) == cudaSuccess);
        CHECK(polling::bounded(30'000) == cudaSuccess);
        CHECK(polling::adding_nothing(20'000) == cudaSuccess);
    }
    CHECK(observe().findings.empty());
}

TEST_CASE("the order may matter where threads use atomics or wait in loops, and nowhere else") {
    emulator::shift_orders(0);
    int words[64];
    CHECK_FALSE(emulator::order_mattered());
    CHECK(polling::shuffled() == cudaSuccess);
    CHECK_FALSE(emulator::order_mattered());
    CHECK(waiting::last_writer(words) == cudaSuccess);
    CHECK(emulator::order_mattered());
    emulator::shift_orders(1);
    CHECK_FALSE(emulator::order_mattered());
    CHECK(polling::handing_over(3) == cudaSuccess);
    CHECK(emulator::order_mattered());
    observe();
}

TEST_CASE("waiting that never ends is a deadlock, by its reason") {
    expect_deadlock(waiting::flag_that_nobody_sets, "that no thread will write");
    expect_deadlock(waiting::more_blocks_than_the_device_holds, "begin only when one of these ends");
    expect_deadlock(waiting::grid_barrier_that_some_miss, "every thread of the grid must reach");
}
