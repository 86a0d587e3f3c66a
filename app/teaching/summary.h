#pragma once

#include "coursework/assignment.h"
#include "gradebook/grade.h"

#include <cstddef>
#include <string>
#include <vector>

namespace teaching {

/// What an instructor reads after a run: how many of each kind there are, and what needs a person. Names and
/// texts of students are cleaned; the lines are not wrapped.
std::string summary(const gradebook::Book& book, const std::vector<gradebook::Grade>& grades,
                    const coursework::Assignment& assignment);

} // namespace teaching
