#pragma once

#include "catalogue/source.h"
#include "gradebook/book.h"

#include <functional>
#include <map>
#include <string>

namespace exports {

/// The name that stands for each student, by the student's id.
using Pseudonyms = std::map<std::string, std::string>;

/// A CSV file with the columns id and pseudonym. Throws model::ContentError with file and line for anything
/// else, and for an id or a pseudonym that is there twice.
Pseudonyms read_pseudonyms(const catalogue::Source& source);

/// The same as a file.
std::string write_pseudonyms(const Pseudonyms& pseudonyms);

/// Gives the students of the book that have none a pseudonym from `draw`, which is asked again for one that
/// is taken.
void complete(Pseudonyms& pseudonyms, const gradebook::Book& book, const std::function<std::string()>& draw);

/// The book with pseudonyms for ids, without names, addresses, sections, and where submissions were found.
/// Each student has to have one.
gradebook::Book pseudonymous(gradebook::Book book, const Pseudonyms& pseudonyms);

} // namespace exports
