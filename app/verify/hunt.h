#pragma once

#include "app/verify/equivalents.h"
#include "app/verify/mutant_program.h"
#include "build/workshop.h"
#include "kit/kit.h"
#include "model/problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace verify {

/// How strong a suite is beyond the mistakes that come with it: which small changes of the reference it
/// finds.
struct Hunt {
    std::vector<std::string> files; ///< names of the reference's files
    std::vector<std::string> sources;
    std::vector<Candidate> all;
    std::vector<Equivalent> marks;

    enum class Fate {
        not_compiled,
        killed,
        timed_out,
        survived
    };                       ///< a mutant that timed out counts as killed
    std::vector<Fate> fates; ///< of each candidate
};

/// A part of a hunt that fits into one program and one run; parts may run side by side.
struct HuntPart {
    std::vector<std::size_t> which;
    std::string trouble; ///< why nothing can be said, or empty
    std::chrono::microseconds build{0};
    std::chrono::microseconds run{0};
};

/// Reads the reference and the marks. Throws model::ContentError.
Hunt plan_hunt(const model::Problem& problem, const std::filesystem::path& schemas);

std::vector<HuntPart> parts(const Hunt& hunt);

/// Fills in the fates of one part's mutants.
void run_part(const build::Workshop& workshop, const model::Problem& problem, const kit::Kit& kit, Hunt& hunt,
              HuntPart& part, std::uint64_t seed, int cancel_fd);

/// Survivors without a mark and marks without a survivor, each in a line with its place.
std::vector<std::string> gaps(const Hunt& hunt, const model::Problem& problem);

/// "mutation score 57 of 60 killed, 3 equivalent"
std::string score(const Hunt& hunt);

} // namespace verify
