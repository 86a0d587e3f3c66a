#pragma once

#include "model/errors.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace workspace {

/// The version of a workspace that this engine makes and understands.
inline constexpr int version = 1;

/// What `.engine/workspace.json` says.
struct Record {
    int version = workspace::version;
    /// Path -> digest of what the engine wrote there: a file that still has it is not the learner's yet.
    std::map<std::string, std::string> files;
};

/// It cannot be read, or says nothing that an engine wrote. The text names the file and what is wrong with
/// it.
struct Damaged : model::EnvironmentError {
    using model::EnvironmentError::EnvironmentError;
};

/// Nothing where there is none: the workspace is new, or older than the first version.
/// Throws Damaged, and model::EnvironmentError for one that a newer engine made; the workspace is left as it
/// is.
std::optional<Record> read_record(const std::filesystem::path& folder);

/// Replaces it in one step. Throws as `write` does.
void write_record(const std::filesystem::path& folder, const Record& record);

/// What a Record keeps of a file's content.
std::string digest(const std::string& text);

} // namespace workspace
