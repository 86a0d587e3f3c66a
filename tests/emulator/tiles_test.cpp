#include "kernels/tiles.h"
#include "observed.h"

#include <algorithm>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

/// Tiles of several warps: what their barriers order, and who has to be there.
namespace {

using emulator::FindingKind;

/// The first finding of a kernel, all of whose findings are of a kind.
emulator::Finding found_in(int (*kernel)(), cudaError_t error, FindingKind kind) {
    CHECK(kernel() == error);
    const auto trace = observe();
    REQUIRE_FALSE(trace.findings.empty());
    for (const auto& finding : trace.findings) {
        CHECK(finding.kind == kind);
        CHECK(finding.where.file.ends_with("tiles.cu"));
    }
    return trace.findings[0];
}

} // namespace

TEST_CASE("the barrier of a tile orders what its threads do before and after") {
    for (const auto kernel : {tiles::handed_on_in_tiles, tiles::handed_on_in_block_wide_tile}) {
        CHECK(kernel() == cudaSuccess);
        const auto trace = observe();
        CHECK(trace.traced);
        for (const auto& finding : trace.findings)
            FAIL_CHECK(finding.message);
    }
}

TEST_CASE("the barrier of a tile orders nothing in another tile") {
    CHECK(tiles::handed_on_between_tiles() == cudaSuccess);
    CHECK(std::ranges::any_of(observe().findings, [](const emulator::Finding& finding) {
        return finding.kind == FindingKind::race_in_block && finding.other.line > 0;
    }));
}

TEST_CASE("the vote of a tile orders no memory") {
    CHECK(found_in(tiles::handed_on_by_votes, cudaSuccess, FindingKind::race_in_block).other.line > 0);
}

TEST_CASE("a tile of which some threads stay away ends the kernel, and they are named") {
    const auto finding =
        found_in(tiles::half_of_a_tile, cudaErrorLaunchFailure, FindingKind::divergent_barrier);
    CHECK(finding.message.find("by 32 of the 64 threads of a tile") != std::string::npos);
    CHECK(finding.other_thread.thread[0] % 64 >= 32);
    CHECK(finding.other.line > finding.where.line);
}

TEST_CASE("a tile needs a block that it divides") {
    const auto finding =
        found_in(tiles::tile_larger_than_block, cudaErrorLaunchFailure, FindingKind::divergent_barrier);
    CHECK(finding.message.find("this block has 128") != std::string::npos);
}
