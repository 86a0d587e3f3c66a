#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// The problem that a learner has chosen to be at, kept in `.engine/selected`.
namespace workspace {

/// Nothing where none was chosen, or the file holds no id.
std::optional<std::string> selected(const std::filesystem::path& folder);

/// Replaces it in one step. Throws as `write` does.
void select(const std::filesystem::path& folder, const std::string& id);

} // namespace workspace
