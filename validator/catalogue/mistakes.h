#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/bases.h"
#include "catalogue/faults.h"
#include "catalogue/header.h"
#include "model/problem.h"

namespace catalogue {

/// From this share of its lines on, a mistake is stored as the difference from its base.
constexpr double least_shared = 0.5;

/// The base from which the shortest diff leads to a program.
struct Nearest {
    Base base;
    std::string diff;  ///< that diff, from the base's name to mistakes/<name>
    double shared = 0; ///< how much of the program are lines of the base
};

/// Of equally near ones the first. Throws model::ContentError.
Nearest nearest_base(const model::Problem& problem, const std::string& program, const std::string& name);

/// A file of mistakes/ as it is to be stored.
struct MistakeFile {
    std::string name; ///< with its ending
    std::string text;
    std::string base; ///< that it is the difference from, or empty for a whole file
};

/// The difference of a program from its nearest base, or the whole program where that has less than half of
/// its lines, under a header. Nothing where the program is a base. Throws model::ContentError for a base.
std::optional<MistakeFile> write_mistake(const model::Problem& problem, const std::string& name,
                                         const MistakeHeader& header, const std::string& program);

/// The mistakes in `files`, with their programs; which tests fail for them is not said there. Throws
/// model::ContentError naming the file and the line, or lists that in `faults` and leaves the mistake out.
std::vector<model::Mistake> read_mistakes(const std::vector<std::filesystem::path>& files,
                                          const model::Problem& problem, Faults* faults = nullptr);

} // namespace catalogue
