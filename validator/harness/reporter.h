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

struct ListedCase {
    std::string name;
    bool large = false; ///< marked so by the suite
    bool timed = false; ///< likewise: no test, but a call to be measured
};

/// All registered test cases, in the order in which the suite has them.
const std::vector<ListedCase>& list_cases();

/// Runs the named cases of the suite through doctest, in the suite's order. What doctest itself finds, a
/// failed CHECK or an exception, becomes a finding of the recorder.
void run_cases(const std::vector<std::string>& names, const CaseHooks& hooks);

} // namespace harness
