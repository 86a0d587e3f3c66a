#pragma once

#include "exports/graded_class.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What a class as a whole did with each test and question, for its instructor.
namespace exports {

struct TestItem {
    std::string problem;
    std::string name;
    std::size_t runs = 0; ///< students whose counting work was judged
    std::size_t failed = 0;
    /// Correlation between passing the test and the rest of the problem's points, -1 to 1 (point-biserial,
    /// corrected); nothing where all passed, all failed, or all have the same rest.
    std::optional<double> discrimination;

    double failure_rate() const {
        return runs > 0 ? static_cast<double>(failed) / static_cast<double>(runs) : 0;
    }
};

struct QuestionItem {
    std::string problem;
    std::string question;
    std::size_t answered = 0;
    std::size_t right = 0;
    std::map<std::string, std::size_t> answers; ///< by what was said; empty for texts that a person marks
};

struct MistakeItem {
    std::size_t students = 0;
    std::size_t uncertain = 0; ///< in whose work it explains only some of the failing tests
};

/// What judging a problem took, over the works that count.
struct ProblemItem {
    std::string problem;
    std::size_t judged = 0;
    std::size_t accepted = 0;
    std::chrono::milliseconds median{0};
    std::chrono::milliseconds longest{0};
};

struct Items {
    std::vector<ProblemItem> problems; ///< in the order of the assignment
    std::vector<TestItem> tests;       ///< in the order of the assignment and the suites
    std::vector<QuestionItem> questions;
    std::map<std::string, MistakeItem> mistakes; ///< "problem: mistake"
};

/// Over the attempts that count, each student once.
Items items_of(const GradedClass& graded);

} // namespace exports
