#pragma once

#include "app/context.h"
#include "coursework/roster.h"
#include "gradebook/gradebook.h"
#include "intake/inputs.h"
#include "model/problem.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace teaching {

/// The submissions below the folders that were named, and what is none.
struct Found {
    std::vector<intake::Input> inputs;
    std::vector<std::string> ignored;
};
Found find_submissions(const std::vector<std::string>& folders);

/// The problems that anything among the submissions is for: in a folder with the problem's id, or with a file
/// name that only this problem has.
std::vector<std::string> problems_in(const std::vector<intake::Input>& inputs,
                                     const model::Curriculum& curriculum);

/// What of a submission becomes part of the gradebook. Throws model::EnvironmentError where this machine
/// refuses to read it.
gradebook::Handed read_handed(const intake::Input& input, std::span<const model::Problem> problems,
                              std::span<const coursework::Student> roster);

} // namespace teaching
