#include "kernels/faults.h"
#include "observed.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

/// What goes wrong in kernels that were built without a tracer.
namespace {

using emulator::FindingKind;

void expect(int (*fault)(), cudaError_t error, FindingKind kind, int line = 0) {
    CHECK(static_cast<cudaError_t>(fault()) == error);
    const auto trace = observe();
    CHECK_FALSE(trace.traced);
    REQUIRE(trace.findings.size() == 1);
    CHECK(trace.findings[0].kind == kind);
    if (line != 0) {
        CHECK(trace.findings[0].where.line == line);
        CHECK(trace.findings[0].where.file.ends_with("faults.cu"));
    }
}

} // namespace

TEST_CASE("a kernel without fault leaves no finding") {
    CHECK(faults::coalesced_copy() == cudaSuccess);
    CHECK(observe().findings.empty());
}

TEST_CASE("a write past the end of an allocation is noticed after the launch") {
    expect(faults::out_of_bounds_tail, cudaErrorIllegalAddress, FindingKind::out_of_bounds);
}

TEST_CASE("an index outside of an array is refused, whatever memory the array is in") {
    const auto out = FindingKind::out_of_bounds;
    expect([] { return faults::out_of_bounds_device_array(4); }, cudaErrorIllegalAddress, out,
           line_of("device array"));
    expect([] { return faults::out_of_bounds_device_array(-1); }, cudaErrorIllegalAddress, out,
           line_of("device array"));
    expect([] { return faults::out_of_bounds_constant_array(1000); }, cudaErrorIllegalAddress, out,
           line_of("constant array"));
    expect([] { return faults::out_of_bounds_local_array(5); }, cudaErrorIllegalAddress, out,
           line_of("local array"));
    expect(faults::out_of_bounds_shared, cudaErrorIllegalAddress, out, line_of("shared overrun"));
}

TEST_CASE("the last element of an array is inside") {
    CHECK(faults::out_of_bounds_device_array(3) == cudaSuccess);
    CHECK(faults::out_of_bounds_constant_array(3) == cudaSuccess);
    CHECK(faults::out_of_bounds_local_array(4) == cudaSuccess);
    CHECK(observe().findings.empty());
}

TEST_CASE("a barrier that part of the block does not reach ends the kernel") {
    expect(faults::divergent_barrier, cudaErrorLaunchFailure, FindingKind::divergent_barrier,
           line_of("lonely barrier"));
}

TEST_CASE("two barriers in two branches are named both") {
    CHECK(faults::two_barriers() == cudaErrorLaunchFailure);
    const auto trace = observe();
    REQUIRE(trace.findings.size() == 1);
    CHECK(trace.findings[0].where.line == line_of("odd barrier"));
    CHECK(trace.findings[0].other.line == line_of("even barrier"));
}

TEST_CASE("a lane that stays away from a shuffle is found, and where it waits") {
    CHECK(faults::missing_lane() == cudaErrorLaunchFailure);
    const auto trace = observe();
    REQUIRE(trace.findings.size() == 1);
    CHECK(trace.findings[0].kind == FindingKind::missing_lanes);
    CHECK(trace.findings[0].where.line == line_of("lonely shuffle"));
    CHECK(trace.findings[0].other.line == line_of("where lane 7 waits"));
    CHECK(trace.findings[0].other_thread.thread[0] == 7);
}

TEST_CASE("a shuffle that reads from a returned lane is a finding, and goes on") {
    expect(faults::early_return_shuffle, cudaSuccess, FindingKind::missing_lanes,
           line_of("shuffle from returned"));
}

TEST_CASE("crashes in a kernel become the errors of a device") {
    expect(faults::null_pointer, cudaErrorIllegalAddress, FindingKind::illegal_address,
           line_of("tail write"));
    expect(faults::beyond_mapped_file, cudaErrorIllegalAddress, FindingKind::illegal_address,
           line_of("beyond the file"));
    expect(faults::misaligned_vector, cudaErrorMisalignedAddress, FindingKind::misaligned,
           line_of("vector load"));
    expect(faults::endless_recursion, cudaErrorHardwareStackError, FindingKind::stack_overflow);
    expect(faults::division_by_zero, cudaErrorLaunchFailure, FindingKind::division_by_zero);
}

TEST_CASE("assertions and traps end the kernel and name the thread") {
    expect(faults::device_assertion, cudaErrorAssert, FindingKind::device_assert, line_of("assertion"));
    CHECK(faults::trapping() == cudaErrorLaunchFailure);
    const auto trace = observe();
    REQUIRE(trace.findings.size() == 1);
    CHECK(trace.findings[0].where.line == line_of("trap"));
    CHECK(trace.findings[0].thread.thread[0] == 5);
}

TEST_CASE("a block asks for too much") {
    expect(faults::too_much_shared, cudaErrorInvalidValue, FindingKind::shared_memory_limit,
           line_of("second shared"));
    expect(faults::too_many_for_bounds, cudaErrorInvalidConfiguration, FindingKind::launch_bounds);
}

TEST_CASE("a copy or a fill past the end of an allocation is refused, and found") {
    expect(faults::copy_too_far, cudaErrorInvalidValue, FindingKind::out_of_bounds, line_of("copy too far"));
    expect(faults::fill_too_far, cudaErrorInvalidValue, FindingKind::out_of_bounds, line_of("fill too far"));
}

TEST_CASE("work goes on after a fault once the device is reset") {
    faults::null_pointer();
    observe();
    CHECK(faults::coalesced_copy() == cudaSuccess);
    CHECK(observe().findings.empty());
}
