#pragma once

#include "build/layout.h"
#include "coursework/assignment.h"
#include "exports/zip.h"

#include <vector>

namespace teaching {

/// All that the engine is built from, with the starters as they were handed out. Throws model::UsageError
/// where this engine does not come with its source, or an assigned problem is of another collection.
std::vector<exports::ZipEntry> engine_source(const build::Layout& layout,
                                             const coursework::Assignment& assignment);

/// Throws as above where there is no source.
std::filesystem::path source_folder(const build::Layout& layout);

} // namespace teaching
