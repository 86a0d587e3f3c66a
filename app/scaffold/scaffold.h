#pragma once

#include "model/problem.h"

#include <filesystem>
#include <string>
#include <vector>

namespace scaffold {

/// Where a new problem goes.
struct Site {
    std::filesystem::path collection; ///< a collection, or a folder that becomes one
    std::filesystem::path templates;  ///< what a problem begins with
    /// The engine's own folders, in which nothing is ever written.
    std::vector<std::filesystem::path> engine;
};

/// Writes a new problem: the files of its language's template, with its id in place of `@ID@`, into
/// problems/<id>, exercises/<id> and reference/<id>, and the id into problems/curriculum.json, which is made
/// where there is none. Returns the new files in order. Throws model::UsageError for a name that is no id,
/// for a folder that exists already, and where no collection may be; then nothing was written. Throws
/// model::EnvironmentError where writing fails halfway; what was written is removed.
std::vector<std::filesystem::path> make_problem(const Site& site, const std::string& id,
                                                model::Language language = model::Language::cpp);

} // namespace scaffold
