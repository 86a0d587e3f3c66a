#pragma once

#include "harness/finding.h"

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What a driver tells its supervisor, one JSON object a line. The stream is the only thing verdicts are made
/// from.
namespace harness {

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
};
/// A mistake that did the same as the submission, call by call, in these failing tests.
struct MistakeMatched {
    std::string mistake;
    std::vector<std::string> tests;
};
/// A mutant, and the first test that it failed; empty where it passed all of them.
struct MutantEnded {
    std::string name;
    std::string killed_by;
    bool timed_out = false; ///< the test failed because a call took too long
};
struct RunEnded {};

using Event = std::variant<CasesEvent, CaseStarted, CaseEnded, MistakeMatched, MutantEnded, RunEnded>;

/// All that a driver said, and how it ended.
struct DriverRun {
    std::vector<Event> events;
    bool complete = false;    ///< its last word was RunEnded, and it exited with 0
    bool interrupted = false; ///< we were asked to stop
    std::string trouble;      ///< why it is not complete
};

std::string write_event(const Event& event); ///< one line, newline included
Event read_event(std::string_view line);     ///< throws std::runtime_error when it is none

} // namespace harness
