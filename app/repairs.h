#pragma once

#include "app/context.h"
#include "model/problem.h"
#include "store/store.h"

#include <filesystem>
#include <string>

/// Broken programs that are handed out for repair: where they lie, and how one gets there.
namespace app {

/// harden/<id>/ in the workspace. Throws model::UsageError where there is no workspace.
std::filesystem::path repair_folder(const Context& context, const std::string& problem_id);

/// Writes the program, a header through which it finds the contract, and the symptom. A file of that name
/// that is there already is kept under another one, and the learner is told. Throws as workspace::write does.
void hand_out(const Context& context, const model::Problem& problem, const store::Plant& plant);

} // namespace app
