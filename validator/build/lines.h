#pragma once

#include "build/cache.h"
#include "build/workshop.h"

#include <string>
#include <vector>

namespace build {

/// What addr2line prints of a worker program, given these arguments and the program's name. It reads a
/// program that was made from a learner's text, so it runs confined as a compiler does. Empty where it cannot
/// be had: then lines are not named.
std::string name_lines(const Workshop& workshop, const CachedWorker& worker,
                       std::vector<std::string> arguments, int cancel_fd = -1);

} // namespace build
