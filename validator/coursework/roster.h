#pragma once

#include "catalogue/source.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coursework {

struct Student {
    std::string id; ///< what the gradebook knows the student by
    std::string name;
    std::string email;
    std::string section;
};

/// A class list: a CSV file whose first row names its columns. Known are id (also: student, student id, sid,
/// sis user id, id number, username, login), name (also: student name, full name; or first name with last
/// name), email (also: email address) and section; others are ignored, so the lists that platforms export can
/// be used as they are. Without an id, the email address is one. Throws model::ContentError with file and
/// line for a missing column, an empty id and a duplicate one.
std::vector<Student> read_roster(const catalogue::Source& source);

/// The student that one of the words names by id, email address or name, whatever their case; nothing where
/// none does, or where a name is that of several students.
std::optional<std::size_t> find_student(std::span<const Student> roster, std::span<const std::string> words);

} // namespace coursework
