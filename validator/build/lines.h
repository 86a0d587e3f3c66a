#pragma once

#include "build/cache.h"
#include "build/workshop.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace build {

/// What addr2line prints of a worker program, given these arguments and the program's name. It reads a
/// program that was made from a learner's text, so it runs confined as a compiler does. Empty where it cannot
/// be had: then lines are not named.
std::string name_lines(const Workshop& workshop, const CachedWorker& worker,
                       std::vector<std::string> arguments, int cancel_fd = -1);

/// A line of a learner's file; 0 for none.
struct SourceLine {
    std::string file;
    int line = 0;
};

/// The first line in one of `files` that addr2line printed.
SourceLine first_line_in(std::string_view printed, const std::vector<std::string>& files);

/// Which line of `files` was running, given the offsets of a program's frames, the innermost first. Frames of
/// libraries are passed over.
SourceLine line_of_frames(const Workshop& workshop, const CachedWorker& worker,
                          const std::vector<std::uint64_t>& frames, const std::vector<std::string>& files,
                          int cancel_fd = -1);

} // namespace build
