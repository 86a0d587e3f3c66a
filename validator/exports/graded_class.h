#pragma once

#include "coursework/assignment.h"
#include "coursework/outcome.h"
#include "exports/zip.h"
#include "gradebook/grade.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What is written for others: platforms, students, people who mark. One pure function a format.
namespace exports {

/// What an autograder is made of.
struct AutograderParts {
    std::string assignment;       ///< engine.assignment/1
    std::uint64_t seed = 0;       ///< where the assignment has none
    std::vector<ZipEntry> source; ///< of the engine
};

/// All that an export may speak of.
struct GradedClass {
    const coursework::Assignment& assignment;
    const gradebook::Book& book;
    const std::vector<gradebook::Grade>& grades;
    std::function<coursework::Outcome(gradebook::Id)> outcome; ///< of a judgement, with its report
    std::string made;                                          ///< when, in UTC
    std::function<AutograderParts()> autograder = {};
};

/// A file, by its path below what was named; empty where one file is the whole export.
struct File {
    std::string path;
    std::string text;
};

/// The part of the grade, 0 to 1, that a problem makes up.
double weight_of(const GradedClass& graded, std::size_t problem);

/// A student's id as the name of a file: what is not a letter, a digit or one of . _ @ + - is replaced, and
/// then a digest of the id keeps two names apart.
std::string file_name_of(const std::string& student);

/// One word for what became of a work: a verdict, or why there is none.
std::string state_of(const gradebook::ProblemGrade& grade);

} // namespace exports
