#pragma once

#include <functional>
#include <string>
#include <vector>

namespace harness {

/// Called around each test case.
struct CaseHooks {
    std::function<void(const std::string& name)> started;
    std::function<void(const std::string& name)> ended;
};

/// All registered test cases, in the order in which the suite has them.
std::vector<std::string> list_cases();

/// Runs the named cases of the suite through doctest, in the suite's order. What doctest itself finds, a
/// failed CHECK or an exception, becomes a finding of the recorder.
void run_cases(const std::vector<std::string>& names, const CaseHooks& hooks);

} // namespace harness
