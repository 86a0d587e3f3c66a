#pragma once

#include "coursework/assignment.h"
#include "gradebook/book.h"

#include <optional>
#include <string>
#include <vector>

namespace gradebook {

/// What a student has for one problem.
struct ProblemGrade {
    std::string problem;
    const Attempt* attempt = nullptr; ///< the one that counts; null where nothing was handed in
    const Work* work = nullptr;       ///< its work on the problem
    const Judged* judged = nullptr;   ///< null where there was no run
    double late_factor = 1;
    const Change* change = nullptr; ///< by a person, who has the last word
    /// 0 to 1 of the problem's points, with what lateness and questions make of it. Nothing while it is not
    /// known, which costs nothing: it is waiting, unclear, or could not be judged.
    std::optional<double> share;
};

struct Grade {
    const Enrolled* student = nullptr;
    std::vector<ProblemGrade> problems; ///< in the order of the assignment
    double percent = 0;                 ///< of the weights of the problems whose share is known
    bool complete = true;               ///< all shares are known
    const Attempt* trouble =
        nullptr; ///< an attempt that could not be taken at all, if it is the student's last one
};

/// One for each student of the book, in its order. They point into the book.
std::vector<Grade> grades_of(const Book& book, const coursework::Assignment& assignment);

/// The works that a grade may rest on: of the last attempts, or of all where the best one counts.
struct Needed {
    const Attempt* attempt = nullptr;
    const Work* work = nullptr;
};
std::vector<Needed> needed_works(const Book& book, const coursework::Assignment& assignment);

} // namespace gradebook
