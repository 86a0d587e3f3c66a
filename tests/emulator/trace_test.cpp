#include "kernels/faults.h"
#include "kernels/textbook.h"
#include "observed_traffic.h"

#include "emulator/own_trace.h"
#include "emulator/trace_json.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <algorithm>

/// What the tracer sees. Numbers of sectors are counted by hand in the comments.
namespace {

using emulator::AccessKind;
using emulator::FindingKind;

emulator::Finding only_finding(int (*fault)(), cudaError_t error) {
    CHECK(static_cast<cudaError_t>(fault()) == error);
    const auto trace = observe();
    CHECK(trace.traced);
    for (const auto& finding : trace.findings)
        CAPTURE(finding.message);
    REQUIRE(trace.findings.size() == 1);
    return trace.findings[0];
}

} // namespace

TEST_CASE("a reduction without barrier is a race with both lines") {
    CHECK(faults::racy_reduction() == cudaSuccess);
    const auto trace = observe();
    REQUIRE_FALSE(trace.findings.empty());
    for (const auto& finding : trace.findings) {
        CHECK(finding.kind == FindingKind::race_in_block);
        CHECK(finding.where.line == line_of("racy sum"));
        CHECK(finding.other.line == line_of("racy sum"));
        CHECK(finding.where.file == "faults.cu");
        CHECK(finding.thread != finding.other_thread);
    }
}

TEST_CASE("lanes of a warp race where no __syncwarp orders them") {
    CHECK(faults::missing_syncwarp() == cudaSuccess);
    const auto trace = observe();
    const int read = line_of("token read"), write = line_of("token write");
    const auto race =
        std::find_if(trace.findings.begin(), trace.findings.end(),
                     [](const emulator::Finding& f) { return f.kind == FindingKind::race_in_block; });
    REQUIRE(race != trace.findings.end());
    CHECK(race->where.line == write);
    CHECK(race->other.line == read);
    CHECK(race->thread.thread[0] == 1);
    CHECK(race->other_thread.thread[0] == 0);
    CHECK(race->in_one_warp);
}

TEST_CASE("threads of different warps are said to be of one block, those of one warp of one warp") {
    CHECK(faults::racy_reduction() == cudaSuccess);
    for (const auto& finding : observe().findings) {
        const bool in_one_warp = finding.thread.thread[0] / 32 == finding.other_thread.thread[0] / 32;
        CHECK(finding.in_one_warp == in_one_warp);
        CHECK(finding.message.starts_with(in_one_warp ? "Two threads of a warp" : "Two threads of a block"));
    }
}

TEST_CASE("an access past the end names the thread, the line and the distance") {
    const auto finding = only_finding(faults::out_of_bounds_tail, cudaErrorIllegalAddress);
    CHECK(finding.kind == FindingKind::out_of_bounds);
    CHECK(finding.where.line == line_of("tail write"));
    CHECK(finding.thread == emulator::ThreadId{{7, 0, 0}, {104, 0, 0}}); // element 1000 = 7 * 128 + 104
    CHECK(finding.message == "A kernel writes 4 bytes just past the end of an allocation of 4000 bytes.");
}

TEST_CASE("an access past a shared variable is not one to its neighbour") {
    const auto finding = only_finding(faults::out_of_bounds_shared, cudaErrorIllegalAddress);
    CHECK(finding.kind == FindingKind::out_of_bounds);
    CHECK(finding.where.line == line_of("shared overrun"));
    CHECK(finding.thread.thread[0] == 31);
    CHECK(finding.message == "A kernel uses index 32 of an array of type 'float [32]'.");
}

TEST_CASE("an array of the device is not the one next to it") {
    const auto finding =
        only_finding([] { return faults::out_of_bounds_device_array(4); }, cudaErrorIllegalAddress);
    CHECK(finding.kind == FindingKind::out_of_bounds);
    CHECK(finding.where.line == line_of("device array"));
    CHECK(only_finding([] { return faults::out_of_bounds_local_array(5); }, cudaErrorIllegalAddress)
              .where.line == line_of("local array"));
    CHECK(faults::out_of_bounds_constant_array(3) == cudaSuccess);
    CHECK(observe().findings.empty());
}

TEST_CASE("what a helper does wrong names the call that brought it there") {
    const auto finding = only_finding(faults::out_of_bounds_in_helper, cudaErrorIllegalAddress);
    CHECK(finding.where.line == line_of("helper"));
    REQUIRE(finding.callers.size() == 1);
    CHECK(finding.callers[0].line == line_of("wrong call"));
    CHECK(only_finding(faults::out_of_bounds_tail, cudaErrorIllegalAddress).callers.empty());
}

TEST_CASE("memory that is not the device's is refused") {
    CHECK(only_finding(faults::host_pointer, cudaErrorIllegalAddress).kind == FindingKind::host_memory);
    CHECK(only_finding(faults::freed_memory, cudaErrorIllegalAddress).kind == FindingKind::use_after_free);
    CHECK(only_finding(faults::null_pointer, cudaErrorIllegalAddress).kind == FindingKind::illegal_address);
    CHECK(only_finding(faults::host_reads_device, cudaSuccess).where.line == line_of("host read"));
}

TEST_CASE("a vector access at an odd address is misaligned") {
    const auto finding = only_finding(faults::misaligned_vector, cudaErrorMisalignedAddress);
    CHECK(finding.kind == FindingKind::misaligned);
    CHECK(finding.where.line == line_of("vector load"));
}

TEST_CASE("reads of memory that nothing has written are found once per place") {
    const auto global = only_finding(faults::unwritten_read, cudaSuccess);
    CHECK(global.kind == FindingKind::uninitialized_read);
    CHECK(global.where.line == line_of("fresh read"));
    const auto shared = only_finding(faults::unwritten_shared_read, cudaSuccess);
    CHECK(shared.where.line == line_of("fresh shared read"));
    CHECK(shared.thread.thread[0] == 31);
}

TEST_CASE("updates by two blocks race unless they are atomic") {
    CHECK(faults::lost_updates() == cudaSuccess);
    const auto trace = observe();
    REQUIRE_FALSE(trace.findings.empty());
    CHECK(trace.findings[0].kind == FindingKind::race_between_blocks);
    CHECK(trace.findings[0].where.line == line_of("lost update"));
    CHECK(faults::atomic_updates() == cudaSuccess);
    CHECK(observe().findings.empty());
}

TEST_CASE("blocks that write one element in common race") {
    const auto finding = only_finding(faults::blocks_overlap, cudaSuccess);
    CHECK(finding.kind == FindingKind::race_between_blocks);
    CHECK(finding.thread == emulator::ThreadId{{1, 0, 0}, {0, 0, 0}});
    CHECK(finding.other_thread.block[0] == 0);
    CHECK(finding.count == 1);
}

TEST_CASE("blocks that write halves of one word do not race") {
    CHECK(faults::half_words() == cudaSuccess);
    CHECK(observe().findings.empty());
}

TEST_CASE("barriers that do not meet are found in a trace too") {
    CHECK(only_finding(faults::divergent_barrier, cudaErrorLaunchFailure).where.line ==
          line_of("lonely barrier"));
    CHECK(only_finding(faults::endless_recursion, cudaErrorHardwareStackError).kind ==
          FindingKind::stack_overflow);
}

TEST_CASE("neighbours that read neighbours move each byte once") {
    // 1000 floats: 31 full warps of 128 bytes = 4 sectors, and 8 lanes of 1 sector: 125 sectors each way.
    const auto kernel = traffic(faults::coalesced_copy);
    const auto& load = line(kernel, "copy", AccessKind::load);
    CHECK(load.requests == 32);
    CHECK(load.accesses == 1000);
    CHECK(load.sectors == 125);
    CHECK(line(kernel, "copy", AccessKind::store).sectors == 125);
    CHECK(kernel.bytes_moved == 8000);
    CHECK(kernel.minimum_bytes == 8000);
    CHECK(kernel.coalescing_efficiency() == 1.0);
    CHECK(kernel.launches == 1);
    CHECK(kernel.threads == 1024);
}

TEST_CASE("a stride of 32 floats moves a sector for each element") {
    const auto kernel = traffic(faults::uncoalesced_copy);
    CHECK(line(kernel, "copy", AccessKind::load).sectors == 1000);
    CHECK(line(kernel, "copy", AccessKind::store).sectors == 125);
    CHECK(kernel.bytes_moved == 36000);
    CHECK(kernel.useful_bytes == 8000);
    CHECK(kernel.minimum_bytes == 8000);
}

TEST_CASE("a vector access of 16 bytes is one request") {
    // 2 warps of 32 * 16 = 512 bytes = 16 sectors.
    const auto kernel = traffic(faults::vector_copy);
    const auto& load = line(kernel, "vector load", AccessKind::load);
    CHECK(load.bytes_per_lane == 16);
    CHECK(load.requests == 2);
    CHECK(load.sectors == 32);
    CHECK(line(kernel, "vector store", AccessKind::store).sectors == 32);
    CHECK(kernel.coalescing_efficiency() == 1.0);
}

TEST_CASE("a vector from braces or a function is stored, and read, by one access") {
    const auto braces = traffic(faults::vector_braces), function = traffic(faults::vector_function);
    CHECK(line(braces, "braces", AccessKind::store).bytes_per_lane == 16);
    CHECK(braces.sectors == 32);
    CHECK(line(function, "vector function", AccessKind::store).sectors == 32);
    CHECK(line(function, "vector function", AccessKind::load).bytes_per_lane == 16);
    CHECK(function.minimum_bytes == 2048);
}

TEST_CASE("a column of a 32 wide tile meets one bank, of a padded one all") {
    // 32 reads of a column: 32 lanes in one bank each time, so 31 passes too many.
    const auto straight = traffic(faults::column_reads), padded = traffic(faults::padded_column_reads);
    CHECK(line(straight, "column read", AccessKind::load, true).wavefronts == 1024);
    CHECK(straight.bank_conflicts == 992);
    CHECK(line(padded, "column read", AccessKind::load, true).wavefronts == 32);
    CHECK(padded.bank_conflicts == 0);
}

TEST_CASE("the textbook kernels have no findings") {
    const std::vector<float> v(1000, 1.0f);
    CHECK(textbook::reduce(v) == 1000.0f);
    CHECK(textbook::reduce_last_block(v) == 1000.0f);
    CHECK(textbook::reduce_shuffle(std::vector<int>(1000, 1)) == 1000);
    CHECK(textbook::scan(std::vector<int>(1000, 1)).back() == 1000);
    CHECK(textbook::transpose(v, 40, 25).size() == 1000);
    CHECK(textbook::histogram(std::vector<unsigned char>(1000, 3))[3] == 1000);
    CHECK(textbook::matmul(std::vector<float>(400, 1.0f), std::vector<float>(400, 1.0f), 20, 20, 20)[399] ==
          20.0f);
    CHECK(textbook::sort_warps(std::vector<int>(64, 5)).size() == 64);
    CHECK(textbook::radix_pass(std::vector<std::uint32_t>(500, 7), 0).size() == 500);
    CHECK(textbook::add_bfloat16(v, v).size() == 1000);
    const auto trace = observe();
    for (const auto& finding : trace.findings)
        FAIL_CHECK(finding.kernel << ": " << finding.message << " " << finding.where.line << " "
                                  << finding.other.line);
    CHECK(trace.kernels.size() >= 10);
}

TEST_CASE("the same run gives the same trace") {
    faults::uncoalesced_copy();
    const auto first = observe();
    faults::uncoalesced_copy();
    CHECK(emulator::to_json(first) == emulator::to_json(observe()));
}

TEST_CASE("a trace survives its JSON") {
    faults::racy_reduction();
    const auto trace = observe();
    const auto json = emulator::to_json(trace);
    const auto read = emulator::parse_trace(json);
    REQUIRE(read.has_value());
    CHECK(emulator::to_json(*read) == json);
    CHECK_FALSE(emulator::parse_trace("{\"schema\": \"engine.trace/1\"}").has_value());
    CHECK_FALSE(emulator::parse_trace(json.substr(0, json.size() / 2)).has_value());
    CHECK_FALSE(emulator::parse_trace("").has_value());
}

TEST_CASE("a text as long as a trace may be is refused before anybody waits for it") {
    std::string json = "{";
    for (int key = 0; json.size() < emulator::own_trace_bytes; ++key)
        json += "\"" + std::to_string(key) + "\":0,";
    CHECK_FALSE(emulator::parse_trace(json + "\"schema\":0}").has_value());
}
