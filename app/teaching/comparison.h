#pragma once

#include "coursework/assignment.h"
#include "gradebook/book.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace teaching {

/// A work that would get another judgement.
struct Replacement {
    gradebook::Id submission = 0;
    std::string problem;
    gradebook::Id judgement = 0;
};

/// The book as it would be.
gradebook::Book with_replacements(gradebook::Book book, const std::vector<Replacement>& replacements);

/// Before and after, for each student whose points or tests differ: the tests by name, and the grade. Names
/// are cleaned; the lines are not wrapped. The second part is the number of students.
struct Compared {
    std::string text;
    std::size_t students = 0;
};
Compared compare(const gradebook::Book& before, const gradebook::Book& after,
                 const coursework::Assignment& assignment);

} // namespace teaching
