#pragma once

#include "events/finding.h"
#include "model/control.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What a driver tells its supervisor, one JSON object a line. The stream is the only thing verdicts are made
/// from.
namespace events {

struct CasesEvent {
    std::vector<std::string> names; ///< every registered test case, whether it will run or not
};
struct CaseStarted {
    std::string name;
};
struct CaseEnded {
    std::string name;
    std::vector<Finding> findings; ///< none: the test passed
    std::chrono::microseconds duration{0};
    std::string output;                ///< what the submission printed
    std::string observed;              ///< what its kernels did, "engine.trace/1" a line, untrusted
    std::uint64_t minimum_traffic = 0; ///< bytes that its calls cannot do without, if the suite says so
    bool left_out = false;             ///< it did not run, because the request leaves out large cases
    bool skipped = false;              ///< it did not run, because the time for all cases was used up
    std::string measured;              ///< a timed case: the function that it measures
    std::vector<double> times_us;      ///< what its calls took; `minimum_traffic` is of all these together
    std::uint64_t calls = 0;           ///< that workers were asked to make, repeats included
};
/// A worker of a checked program is gone, and showed what came of its control; or one that was launched by
/// another program is, with all that the two printed.
struct WorkerEnded {
    std::vector<std::string> cases; ///< that it served
    model::Control control;         ///< as the driver chose it
    std::string shown;              ///< untrusted; empty where a worker was lost before its control
    std::string trouble;            ///< launched: why it ended before it was told to; else empty
    bool before_ready = false;      ///< and that before it served its first test
};
/// A mistake that failed these tests as the submission did, call by call.
struct MistakeMatched {
    std::string mistake;
    std::vector<std::string> tests;
    std::vector<std::string> fails; ///< of its tests that depend on the seed: those that it also failed now
};
/// What all calls of a function that failed have in common, and none that passed: "only if C is 9 or
/// more".
struct FailuresShare {
    std::string function;
    std::string says;
};
/// A mutant, and the first test that it failed; empty where it passed all of them.
struct MutantEnded {
    std::string name;
    std::string killed_by;
    bool timed_out = false; ///< the test failed because a call took too long
};
/// How often something passed and failed, with which seed it first did, and whether any of that depends on
/// the seed: a stream of it was used in time.
struct Tally {
    std::uint32_t passed = 0;
    std::uint32_t failed = 0;
    std::uint64_t passed_with = 0;
    std::uint64_t failed_with = 0;
    bool drew = false;
};
/// What a sweep saw of a mistake in a test.
struct Swept {
    std::string mistake;
    std::string test;
    Tally tally;
};
/// A circumstance that a parameter of a function can be in, and whether a call was made in it and compared.
struct Covered {
    std::string function;
    std::string parameter; ///< or extent, or a pair of these; empty where all of them are meant
    std::string circumstance;
    bool reached = false;
    std::string left_out; ///< why the suite takes it out, or empty
};
/// The calls of one kind that suites make of functions (harness/adversity/probe.h), in all tests of a run.
struct Probed {
    std::string probe;
    std::uint64_t calls = 0;
    std::uint64_t failed = 0;
    std::chrono::microseconds duration{0}; ///< in the driver, its worker's part included
};
struct RunEnded {};

using Event = std::variant<CasesEvent, CaseStarted, CaseEnded, WorkerEnded, MistakeMatched, FailuresShare,
                           MutantEnded, Swept, Covered, Probed, RunEnded>;

/// All that a driver said, and how it ended.
struct DriverRun {
    std::vector<Event> events;
    bool complete = false;    ///< its last word was RunEnded, and it exited with 0
    bool interrupted = false; ///< we were asked to stop
    std::string trouble;      ///< why it is not complete
};

std::string write_event(const Event& event); ///< one line, newline included
Event read_event(std::string_view line);     ///< throws std::runtime_error when it is none

} // namespace events
