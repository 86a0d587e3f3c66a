#pragma once

#include <string>
#include <vector>

#include "catalogue/content.h"
#include "model/problem.h"

/// Reads and checks problem packages. docs/package-format.md describes them field by field, with every rule.
namespace catalogue {

/// All problems of problems/curriculum.json in order, from their manifests alone: `statement`, `hints`,
/// `questions`, `mistakes` and `accepted` stay empty, so that every command can afford it. `load_problem`
/// gives the whole. Prerequisites may also be among `earlier`, the ids of the collections before this one.
/// Throws model::ContentError naming the file and the JSON pointer.
model::Curriculum load(const Content&, const std::vector<std::string>& earlier = {});

/// One whole package, whether or not the curriculum lists it, with every file it needs present and checked.
/// The learner's own files in exercises/<id>/ are not looked at: a missing one is a verdict, not broken
/// content. Throws model::ContentError as above.
model::Problem load_problem(const Content&, const std::string& id,
                            const std::vector<std::string>& earlier = {});

} // namespace catalogue
