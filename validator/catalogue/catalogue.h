#pragma once

#include <string>
#include <vector>

#include "catalogue/content.h"
#include "catalogue/faults.h"
#include "model/problem.h"

/// Reads and checks problem packages. docs/package-format.md describes them field by field, with every rule.
namespace catalogue {

/// All problems of problems/curriculum.json in order, from their manifests alone: `statement`, `hints`,
/// `questions`, `mistakes` and `accepted` stay empty, so that every command can afford it. `load_problem`
/// gives the whole. Prerequisites may also be among `earlier`, the ids of the collections before this one.
/// Throws model::ContentError naming the file and the JSON pointer.
model::Curriculum load(const Content&, const std::vector<std::string>& earlier = {});

/// How a package is loaded by a command that must not refuse what it can repair.
struct Loading {
    /// Else only the programs, which is what mistakes are made of: `statement`, `hints` and `questions` stay
    /// empty, and kills.json is not read.
    bool whole = true;
    /// Also the witnesses, which only `verify` needs.
    bool witnesses = false;
    /// If given, what is left out is listed there instead of being thrown: names of mistakes and tests that
    /// are not there, a kills.json that cannot be read, and, unless the package is whole, the mistakes that
    /// cannot be.
    Faults* faults = nullptr;
};

/// One whole package, whether or not the curriculum lists it, with every file it needs present and checked.
/// The learner's own files in exercises/<id>/ are not looked at: a missing one is a verdict, not broken
/// content. Throws model::ContentError as above.
model::Problem load_problem(const Content&, const std::string& id,
                            const std::vector<std::string>& earlier = {}, const Loading& loading = {});

} // namespace catalogue
