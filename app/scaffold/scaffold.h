#pragma once

#include "build/layout.h"

#include <filesystem>
#include <string>
#include <vector>

namespace scaffold {

/// Writes a new problem: the files of `layout.templates`, with its id in place of `@ID@`, into problems/<id>,
/// exercises/<id> and reference/<id>. Returns them in order. Throws model::UsageError for a name that is no
/// id, for a folder that exists already, and where there is no source tree or none to write in; then nothing
/// was written. Throws model::EnvironmentError where writing fails halfway; what was written is removed.
std::vector<std::filesystem::path> make_problem(const build::Layout& layout, const std::string& id);

} // namespace scaffold
