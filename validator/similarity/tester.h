#pragma once

#include "build/workshop.h"
#include "similarity/matches.h"
#include "similarity/program.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace similarity {

/// Debian's similarity-tester, by Dick Grune. Throws model::EnvironmentError with the command that installs
/// it where it is not on PATH.
std::filesystem::path find_tester();

struct Found {
    std::vector<Match> matches; ///< `first` and `second` are positions in the list of programs
    std::string trouble;        ///< why some pairs were not compared, or not all of their matches are there
};

/// Matches of all pairs of programs, except pairs of two earlier ones. The input is hostile, so the tester is
/// confined as a compiler is: no network, no files, and limits for time, memory and output. `progress` gets
/// how many programs are done, of how many. Throws model::Interrupted if `cancel_fd` became readable.
Found find_matches(const build::Workshop& workshop, const std::filesystem::path& tester,
                   const std::vector<Program>& programs,
                   const std::function<void(std::size_t, std::size_t)>& progress, int cancel_fd);

} // namespace similarity
