#pragma once

#include "intake/entries.h"

#include <filesystem>

namespace intake {

/// The files in a folder and the folders below it, by name; hidden ones, such as .git, are left out, and no
/// link is followed. The folder itself may not be a link. Throws model::EnvironmentError where this machine
/// refuses to read: that is not the student's fault.
Entries read_folder(const std::filesystem::path& folder);

/// When an open file was last changed.
coursework::Instant changed(int fd);

/// The same for one file. It is called `name`.
Entries read_single_file(const std::filesystem::path& file, const std::string& name);

} // namespace intake
