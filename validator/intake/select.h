#pragma once

#include "intake/entries.h"
#include "model/problem.h"
#include "model/submission.h"

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace intake {

/// Nothing was handed in for the problem.
struct Missing {};

/// Something was, and it cannot be said what is meant: a sentence without a period.
struct Unclear {
    std::string why;
};

using Selected = std::variant<std::vector<model::SourceFile>, Missing, Unclear>;

/// The files of one problem among those of a submission: in a folder with the problem's id, wherever that is;
/// else by their names alone, unless another one of `assigned` has a file of that name; and if only one
/// problem is assigned, the only source file there is. Two candidates for one file are unclear.
Selected select_files(const model::Problem& problem, std::span<const model::Problem> assigned,
                      const std::vector<Entry>& entries);

/// The file of this name for the problem, by the same rules, as `answers.json`; null where there is none or
/// it is unclear.
const Entry* find_file(const std::string& name, const std::string& id, bool alone,
                       const std::vector<Entry>& entries);

} // namespace intake
