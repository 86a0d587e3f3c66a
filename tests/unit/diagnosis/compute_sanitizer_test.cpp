// What compute-sanitizer prints, in each form that NVIDIA's manual shows, and what a hostile program prints
// instead.
#include "diagnosis/compute_sanitizer.h"

#include <doctest/doctest.h>

using diagnosis::ComputeSanitizerReport;
using model::FindingKind;

namespace {

ComputeSanitizerReport read(const std::string& text) {
    return diagnosis::read_compute_sanitizer(text, {"lookup.cu"});
}

/// The one finding of a report that ends with its summary.
model::SanitizerFinding only(const std::string& record) {
    const ComputeSanitizerReport report =
        read("========= COMPUTE-SANITIZER\n" + record + "=========\n========= ERROR SUMMARY: 1 error\n");
    CHECK(report.errors == 1);
    CHECK(report.ignored == 0);
    CHECK(report.trouble.empty());
    REQUIRE(report.findings.size() == 1);
    return report.findings.front();
}

bool is(const model::SanitizerFinding& finding, FindingKind kind, int line) {
    return finding.kind == decltype(finding.kind)(kind) && finding.line == line &&
           finding.file == (line > 0 ? "lookup.cu" : "");
}

} // namespace

TEST_CASE("memcheck: an access out of bounds has kind, line, thread and how far it was") {
    const auto finding =
        only("========= Invalid __global__ write of size 4 bytes\n"
             "=========     at copy_rows(float *, int)+0x70 in lookup.cu:12\n"
             "=========     by thread (31,0,0) in block (2,0,0)\n"
             "=========     Access at 0x503600080 is out of bounds\n"
             "=========     and is 1 bytes after the nearest allocation at 0x503600000 of size "
             "128 bytes\n"
             "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
             "=========     Host Frame: main [0xae61] in worker\n");
    CHECK(is(finding, FindingKind::out_of_bounds, 12));
    CHECK(finding.text == "Invalid __global__ write of size 4 bytes\nAccess at 0x... is out of bounds\n"
                          "and is 1 bytes after the nearest allocation at 0x... of size 128 bytes\n"
                          "seen in thread (31,0,0) in block (2,0,0)");
}

TEST_CASE("memcheck: the older form of a place, and an address that is misaligned") {
    CHECK(is(only("========= Invalid __shared__ read of size 16 bytes\n"
                  "=========     at 0x00000070 in /tmp/x/lookup.cu:7:copy_rows(float*)\n"
                  "=========     by thread (0,0,0) in block (0,0,0)\n"
                  "=========     Address 0x00000001 is misaligned\n"),
             FindingKind::misaligned, 7));
    CHECK(is(only("========= Invalid __local__ atomic of size 4 bytes\n"
                  "=========     at copy_rows():0x160 in lookup.cu:6\n"),
             FindingKind::out_of_bounds, 6));
}

TEST_CASE("a place outside the learner's files gives way to the learner's line that called it") {
    CHECK(is(only("========= Barrier error detected. Divergent thread(s) in block.\n"
                  "=========     at sync()+0x11f0 in sync.hpp:42\n"
                  "=========     by thread (32,0,0) in block (0,0,0)\n"
                  "=========     Device Frame: kernel(int *)+0xe40 in lookup.cu:60\n"
                  "=========     Device Frame:outer(int *)+0x40 in lookup.cu:80\n"),
             FindingKind::divergent_barrier, 60));
    CHECK(is(only("========= Invalid __global__ read of size 4 bytes\n=========     at kernel+0x10\n"),
             FindingKind::out_of_bounds, 0));
    CHECK(is(only("========= Invalid __global__ read of size 4 bytes\n"
                  "=========     at kernel+0x10 in notlookup.cu:3\n"),
             FindingKind::out_of_bounds, 0));
}

TEST_CASE("racecheck: both accesses, on one line or two; hazards; a warning is no finding") {
    auto race =
        only("========= Error: Race reported between Write access at sum(int *)+0x90 in lookup.cu:41\n"
             "=========     and Read access at sum(int *)+0x100 in lookup.cu:51 [508 hazards]\n");
    CHECK(is(race, FindingKind::race_in_block, 41));
    CHECK(race.text == "Race reported between Write access\nand Read access at lookup.cu:51");
    race = only("========= ERROR: Race reported between Read access at 0x90 in lookup.cu:4:sum(int*) and "
                "Write access "
                "at 0x70 in lookup.cu:2:sum(int*) [4 hazards]\n");
    CHECK(is(race, FindingKind::race_in_block, 4));
    CHECK(race.text.ends_with("and Write access at lookup.cu:2"));
    race = only("========= ERROR: Potential WAW hazard detected at __shared__ 0x0 in block (0,0,0) :\n"
                "=========     Write Thread (0,0,0) at WAW()+0x2f0 in lookup.cu:20\n"
                "=========     Write Thread (1,0,0) at WAW()+0x2f0 in lookup.cu:21\n"
                "=========     Current Value : 1, Incoming Value : 2\n");
    CHECK(is(race, FindingKind::race_in_block, 20));
    CHECK(race.text.ends_with("and Write access at lookup.cu:21"));

    const auto warned =
        read("========= Warning: (Warp Level Programming) Potential RAW hazard detected at __shared__ 0x8c\n"
             "=========     Write Thread (35,0,0) at f(int *)+0x90 in lookup.cu:44\n"
             "=========     Read Thread (32,0,0) at f(int *)+0x120 in lookup.cu:56\n"
             "========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)\n");
    CHECK(warned.findings.empty());
    CHECK(warned.errors == 0);
    CHECK(warned.ignored == 0);
    CHECK(read("========= RACECHECK SUMMARY: 2 hazards displayed (1,002 errors, 1 warning)\n").errors ==
          1002);
}

TEST_CASE("initcheck and synccheck") {
    CHECK(
        is(only("========= Uninitialized __global__ memory read of size 4 bytes\n"
                "=========     at f(int *)+0x70 in lookup.cu:41\n"
                "=========     by thread (31,0,0) in block (1,0,0)\n=========     Address 0x7f3c7ec000fc\n"),
           FindingKind::uninitialized_read, 41));
    CHECK(is(only("========= Barrier error detected. Invalid arguments\n=========     at warpsync+0x30\n"
                  "=========     Device Frame:f(int *)+0x3c0 in lookup.cu:48\n"),
             FindingKind::missing_lanes, 48));
}

TEST_CASE("a call that failed is a consequence of what was found, a finding, or no mistake of a kernel") {
    const std::string access =
        "========= Invalid __global__ read of size 4 bytes\n=========     at f+0x1 in lookup.cu:3\n";
    const std::string failed =
        "========= Program hit cudaErrorLaunchFailure (error 719) due to \"unspecified launch "
        "failure\" on CUDA API call to cudaDeviceSynchronize.\n";
    CHECK(read(access + failed).findings.size() == 1);
    CHECK(is(only(failed), FindingKind::illegal_address, 0));
    CHECK(is(
        only("========= Program hit cudaErrorInvalidConfiguration (error 9) due to \"invalid configuration "
             "argument\" on CUDA API call to cudaLaunchKernel.\n"),
        FindingKind::launch_refused, 0));
    const auto handled =
        read("========= Program hit cudaErrorNotSupported (error 801) due to \"operation not "
             "supported\" on CUDA API call to cudaMallocAsync.\n"
             "=========     Saved host backtrace up to driver entry point at error\n"
             "========= Leaked 64 bytes at 0x400200200\n========= LEAK SUMMARY: 64 bytes leaked\n"
             "========= ERROR SUMMARY: 2 errors\n");
    CHECK(handled.findings.empty());
    CHECK(handled.harmless == 2);
    CHECK(handled.errors == 2);
}

// From here on, what 2025.3.1 wrote on an H200 for a program with this mistake, but for the names.
TEST_CASE("seen: a part of a warp at __syncthreads, and a mask without the caller") {
    CHECK(is(only("========= Barrier error detected. Divergent thread(s) in warp.\n"
                  "=========     at barrier_branch(float *)+0x70 in lookup.cu:70\n"
                  "=========     by thread (32,0,0) in block (0,0,0)\n"),
             FindingKind::divergent_barrier, 70));
    CHECK(is(only("========= Barrier error detected. Invalid arguments.\n"
                  "=========     at warp_mask_without_self(float *)+0x90 in lookup.cu:87\n"
                  "=========     by thread (0,0,0) in block (0,0,0)\n"),
             FindingKind::missing_lanes, 87));
}

TEST_CASE("seen: what ends a kernel has its own kind, and the call that fails of it says no more") {
    const std::string failed =
        "========= \n========= Program hit cudaErrorLaunchFailure (error 719) due to \"unspecified launch "
        "failure\" on CUDA API call to cudaDeviceSynchronize.\n========= \n";
    CHECK(is(only("========= Trace/breakpoint trap\n=========     at traps(float *)+0x60 in lookup.cu:102\n"
                  "=========     by thread (0,0,0) in block (0,0,0)\n" +
                  failed),
             FindingKind::device_trap, 102));
    CHECK(is(only("========= Stack overflow\n"
                  "=========     at [clone recursion(float *)] deeper(int, float *)+0xf0 in lookup.cu:103\n"
                  "=========     by thread (0,0,0) in block (0,0,0)\n"
                  "=========         Device Frame: recursion(float *)+0x70 in lookup.cu:109\n" +
                  failed),
             FindingKind::stack_overflow, 103));
    CHECK(is(only("lookup.cu:101: void asserts(float *): block: [0,0,0], thread: [0,0,0] Assertion `to == "
                  "nullptr` failed.\n"
                  "========= Warp assert\n=========     at __assertfail+0x19a0\n"
                  "=========     by thread (0,0,0) in block (0,0,0)\n"
                  "=========         Device Frame: __assertfail+0x1930\n========= \n"
                  "========= Program hit cudaErrorAssert (error 710) due to \"device-side assert "
                  "triggered\" on CUDA API call to cudaDeviceSynchronize.\n"),
             FindingKind::device_assert, 0));
}

TEST_CASE("seen: a launch and a free that are refused as invalid values") {
    const auto call = [](const std::string& name) {
        return "========= Program hit cudaErrorInvalidValue (error 1) due to \"invalid argument\" on CUDA "
               "API "
               "call to " +
               name + ".\n========= \n";
    };
    CHECK(is(only(call("cudaLaunchKernel") + call("cudaGetLastError")), FindingKind::launch_refused, 0));
    CHECK(is(only(call("cudaFree") + call("cudaGetLastError")), FindingKind::invalid_free, 0));
    CHECK(read(call("cudaGetLastError")).findings.empty());
    CHECK(read(call("cudaMemcpy")).findings.empty());
    CHECK(read(call("cudaMemcpy")).harmless == 1);
}

TEST_CASE("seen: how far away an access is where that says something") {
    const auto far = only("========= Invalid __global__ write of size 4 bytes\n"
                          "=========     at write_at(float *, long)+0x90 in lookup.cu:7\n"
                          "=========     by thread (0,0,0) in block (0,0,0)\n"
                          "=========     Access to 0x48ea000000 is out of bounds\n"
                          "=========     and is 140,388,396,433,408 bytes before the nearest allocation at "
                          "0x7ff7a2800000 of size 4,096 bytes\n");
    CHECK(is(far, FindingKind::out_of_bounds, 7));
    CHECK(far.text == "Invalid __global__ write of size 4 bytes\nAccess to 0x... is out of bounds\n"
                      "seen in thread (0,0,0) in block (0,0,0)");
    CHECK(only("========= Invalid __global__ write of size 16 bytes\n"
               "=========     at vector_at(float *, long)+0x90 in lookup.cu:9\n"
               "=========     Access to 0x7f9726c003e0 is out of bounds\n"
               "=========     and is inside the nearest allocation at 0x7f9726c00000 of size 1,000 bytes\n")
              .text.ends_with("and is inside the nearest allocation at 0x... of size 1,000 bytes"));
}

TEST_CASE("seen: a copy of what nothing has written is the host's, and none of its lines is unknown") {
    const auto copied =
        read("========= Host API memory access error at host access to 0x7fb7be801400 of size 512 "
             "bytes\n"
             "=========     Uninitialized access to 0x7fb7be801400 on access by cudaMemcpy "
             "source\n========= \n========= ERROR SUMMARY: 1 error\n");
    CHECK(copied.findings.empty());
    CHECK(copied.harmless == 1);
    CHECK(copied.ignored == 0);
}

TEST_CASE("seen: a race within a warp is a warning") {
    const auto warned =
        read("========= Warning: Race reported between Write access at f(float *)+0xb0 in "
             "lookup.cu:54\n"
             "=========     and Read access at f(float *)+0xc0 in lookup.cu:55 [128 hazards]\n"
             "========= \n========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 "
             "warning)\n");
    CHECK(warned.findings.empty());
    CHECK(warned.ignored == 0);
}

TEST_CASE("what it could not do is said in its words") {
    for (const char* words : {"Unable to find injection library libsanitizer-collection.so",
                              "Target application terminated before first instrumented API call"})
        CHECK(read(std::string("========= COMPUTE-SANITIZER\n========= ") + words + "\n").trouble == words);
    CHECK(read("========= Error: process didn't terminate successfully\n").trouble ==
          "process didn't terminate successfully");
}

TEST_CASE("the same place is told once, and a bounded number of them") {
    std::string text;
    for (int times = 0; times < 5; ++times)
        text += "========= Invalid __global__ read of size 4 bytes\n=========     at f+0x1 in "
                "lookup.cu:3\n=========\n";
    CHECK(read(text).findings.size() == 1);
    for (int line = 1; line < 1000; ++line)
        text += "========= Invalid __global__ read of size 4 bytes\n=========     at f+0x1 in lookup.cu:" +
                std::to_string(line) + "\n=========\n";
    CHECK(read(text).findings.size() == 16);
}

TEST_CASE("a report that was cut has no summary") {
    const auto report =
        read("========= COMPUTE-SANITIZER\n========= Invalid __global__ read of size 4 bytes\n=====");
    CHECK(report.findings.size() == 1);
    CHECK_FALSE(report.errors);
    CHECK_FALSE(read("").errors);
    CHECK_FALSE(read("========= ERROR SUMMARY: many errors\n").errors);
}

TEST_CASE("garbage is counted and changes nothing; what is no line of the tool's is not looked at") {
    const auto report =
        read("hello\n========= \x01\xff zap\n=========     at at at\n========= Race of cars\n"
             "========Invalid __global__ read of size 4 bytes\n"
             "mine ========= Invalid __global__ read of size 4 bytes\n"
             "=========     by thread (0,0,0) in block (0,0,0)\n========= ERROR SUMMARY: 0 errors\n");
    CHECK(report.findings.empty());
    CHECK(report.ignored == 2);
    CHECK(report.errors == 0);
}

TEST_CASE("words are cleaned and bounded, and so is the whole text") {
    const auto finding = only("========= Invalid __global__ \x1b[31mread\xff " + std::string(5000, 'x') +
                              "\n=========     at f+0x1 in lookup.cu:999999999999\n");
    CHECK(finding.text.starts_with("Invalid __global__ \\x1b[31mread\xef\xbf\xbd xxx"));
    CHECK(finding.text.size() < 400);
    CHECK(finding.line == 0);
    std::string huge;
    while (huge.size() < 3 << 20)
        huge += "========= Uninitialized __shared__ memory read of size 4 bytes\n=========     Address 0x1\n";
    const auto report = read(huge + "========= ERROR SUMMARY: 9 errors\n");
    CHECK(report.findings.size() == 1);
    CHECK_FALSE(report.errors);
}
