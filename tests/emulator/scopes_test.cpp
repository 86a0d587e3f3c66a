#include "kernels/waiting.h"
#include "observed.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

/// Which orders a trace takes from atomics and fences.
namespace {

using emulator::FindingKind;

void expect_none(int (*kernel)()) {
    CHECK(kernel() == cudaSuccess);
    const auto trace = observe();
    for (const auto& finding : trace.findings)
        FAIL_CHECK(finding.message);
}

void expect_race(int (*kernel)(), FindingKind kind, const char* file = "locks.cu") {
    CHECK(kernel() == cudaSuccess);
    const auto trace = observe();
    REQUIRE_FALSE(trace.findings.empty());
    for (const auto& finding : trace.findings) {
        CHECK(finding.kind == kind);
        CHECK(finding.where.file == file);
        CHECK(finding.other.line > 0);
    }
}

} // namespace

TEST_CASE("locks and flags with their fences order what they protect") {
    expect_none(waiting::fenced_lock_in_block);
    expect_none(waiting::fenced_lock_between_blocks);
    expect_none(waiting::block_lock_in_one_block);
    expect_none(waiting::flag_in_block);
    expect_none(waiting::release_and_acquire);
    expect_none(waiting::exchange_lock);
    expect_none(waiting::lock_before_a_barrier);
    expect_none(waiting::acquiring_lock);
    expect_none(waiting::all_halves_fenced);
}

TEST_CASE("a lock without its fences orders nothing") {
    expect_race(waiting::lock_without_fence, FindingKind::race_in_block);
    expect_race(waiting::lock_without_fence_between_blocks, FindingKind::race_between_blocks);
    expect_race(waiting::relaxed_flag, FindingKind::race_between_blocks, "waiting.cu");
}

TEST_CASE("a thread that takes a lock needs a fence after it, in whatever order the threads run") {
    expect_race(waiting::first_block_acquires_nothing, FindingKind::race_between_blocks);
    expect_race(waiting::second_block_acquires_nothing, FindingKind::race_between_blocks);
    expect_race(waiting::first_warp_acquires_nothing, FindingKind::race_in_block);
    expect_race(waiting::second_warp_acquires_nothing, FindingKind::race_in_block);
}

TEST_CASE("an atomic of block scope is one for its block alone") {
    expect_none(waiting::block_counter_in_one_block);
    expect_race(waiting::block_counter_between_blocks, FindingKind::race_between_blocks, "waiting.cu");
    expect_race(waiting::block_lock_between_blocks, FindingKind::race_between_blocks);
}

TEST_CASE("polling by an ordinary read is a race") {
    expect_race(waiting::plain_polling, FindingKind::race_in_block, "waiting.cu");
}

TEST_CASE("an exchange is no read of memory that nothing has written") {
    expect_none(waiting::first_exchange);
}
