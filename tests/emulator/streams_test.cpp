#include "kernels/streams.h"
#include "observed.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

/// Which work of two streams, and of a stream and the host, a trace takes for ordered.
namespace {

using emulator::FindingKind;

struct Expected {
    std::string name;
    int (*run)();
    const char* says;
    const char* marks[2]; ///< in the lines of the two places, in any order
};
#define RACE(name, ...)                                                                                      \
    { #name, streams::name, __VA_ARGS__ }

const Expected races[] = {
    RACE(no_fork, "produce and consume use the same bytes on two streams",
         {"// line: produced", "// line: consumed"}),
    RACE(no_fork_other_order, "produce and consume use the same bytes on two streams",
         {"// line: produced", "// line: consumed"}),
    RACE(no_join, "on two streams", {"// line: produced", "// line: consumed"}),
    RACE(event_before_the_work, "on two streams", {"// line: produced", "// line: consumed"}),
    RACE(destroyed_too_early, "on two streams", {"// line: produced", "// line: consumed"}),
    RACE(made_after_another_stream, "on two streams", {"// line: produced", "// line: consumed"}),
    RACE(made_after_one_destroyed_too_early, "on two streams", {"// line: produced", "// line: consumed"}),
    RACE(freed_too_early, "produce and cudaFreeAsync",
         {"// line: produced", "cudaFreeAsync(scratch, t.second)"}),
    RACE(allocated_elsewhere, "cudaMallocAsync and produce",
         {"// line: produced", "cudaMallocAsync(&scratch, n * sizeof(float), t.first)"}),
    RACE(host_reads_too_early, "the host has not waited",
         {"// line: host read", "cudaMemcpyAsync(pinned, t.a.data()"}),
    RACE(host_writes_too_early, "the host has not waited",
         {"// line: host write", "cudaMemcpyAsync(t.a.data(), pinned"}),
    RACE(two_writers, "produce and produce", {"// line: produced", "// line: produced"}),
    RACE(copy_without_fork, "cudaMemcpyAsync", {"// line: produced", "// line: copy"}),
};

std::string text_of(int wanted) {
    std::ifstream file(std::string(ENGINE_SOURCE_DIR) + "/tests/emulator/kernels/streams.cu");
    std::string line;
    for (int number = 1; std::getline(file, line); ++number)
        if (number == wanted) return line;
    return {};
}

} // namespace

TEST_CASE("work that nothing orders is found, with both places, in whatever order it ran") {
    for (const Expected& race : races) {
        CAPTURE(race.name);
        CHECK(race.run() == cudaSuccess);
        const auto trace = observe();
        REQUIRE(trace.findings.size() == 1);
        const emulator::Finding& finding = trace.findings[0];
        CHECK(finding.kind == FindingKind::race_between_streams);
        CAPTURE(finding.message);
        CHECK(finding.message.find(race.says) != std::string::npos);
        const std::string where = text_of(finding.where.line), other = text_of(finding.other.line);
        CAPTURE(where);
        CAPTURE(other);
        const auto has = [](const std::string& line, const char* mark) {
            return line.find(mark) != std::string::npos;
        };
        CHECK(((has(where, race.marks[0]) && has(other, race.marks[1])) ||
               (has(where, race.marks[1]) && has(other, race.marks[0]))));
    }
}

TEST_CASE("work that is ordered, or uses other bytes, is left alone") {
    for (const auto run : {streams::fork_and_join, streams::fork_by_the_host, streams::default_stream,
                           streams::halves, streams::readers, streams::atomics, streams::host_waits,
                           streams::destroyed_after_join, streams::freed_in_order, streams::chain_of_three}) {
        CHECK(run() == cudaSuccess);
        for (const auto& finding : observe().findings)
            FAIL_CHECK(finding.message << " " << text_of(finding.where.line) << " "
                                       << text_of(finding.other.line));
    }
}
