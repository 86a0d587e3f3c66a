#pragma once

#include "intake/entries.h"

#include <filesystem>
#include <string>
#include <vector>

namespace intake {

/// One attempt of a student, as it lies on disk.
struct Input {
    struct Part {
        std::filesystem::path path; ///< a folder, an archive or a file
        std::string name;           ///< of a single file, as the student called it
    };
    std::string source;           ///< how messages and the gradebook call it: names below what was given
    std::vector<std::string> who; ///< what names the student: an id first, then a name
    std::vector<Part> parts;
    std::optional<coursework::Instant> submitted; ///< as an export says; nothing: its files tell
};

/// The submissions in a folder, by name. Known are
///   - a folder, an archive or a single source file for each student, named after the student;
///   - Moodle's "Ada Lovelace_1234_assignsubmission_file" folders, and files that begin so;
///   - Canvas's "lovelaceada_LATE_1234_5678_row.cpp";
///   - Gradescope's export, where a file says whose each folder is; a group's is a submission of each of
///   them.
/// `ignored` gets the names of what is none of these. Throws model::UsageError for a path that is no folder,
/// and model::EnvironmentError where it cannot be read.
std::vector<Input> list_inputs(const std::filesystem::path& folder, std::vector<std::string>& ignored);

/// All files of it. Throws model::EnvironmentError where this machine refuses to read.
Entries read_input(const Input& input);

/// What the name of a file or folder in an export says; for any other, the name itself is the student's id.
/// `file` is empty where the name is not that of a single file.
struct ExportName {
    std::vector<std::string> who;
    std::string file;
};
ExportName read_export_name(const std::string& name);

} // namespace intake
