#pragma once

#include "catalogue/content.h"

#include <string>
#include <vector>

namespace catalogue {

/// Everything that is wrong with the order of a collection, each with file and place: ids that no package
/// has, packages that are not listed, prerequisites that are unknown, come later, or lead back to the problem
/// itself. `load` stops at the first of these, and takes packages that are not listed for unfinished ones.
/// Throws model::ContentError where curriculum.json cannot be read; a manifest that cannot be is named.
std::vector<std::string> curriculum_faults(const Content& content,
                                           const std::vector<std::string>& earlier = {});

} // namespace catalogue
