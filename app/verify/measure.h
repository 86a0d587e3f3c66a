#pragma once

#include "app/verify/kills.h"
#include "app/verify/proof.h"
#include "build/workshop.h"

#include <cstdint>
#include <vector>

namespace verify {

/// Runs one mistake in the judged build, in every test but `without`, with seeds from `first` on: `look` for
/// each test and `count` for one that failed with all of those. Throws model::EnvironmentError where the
/// driver does not come to its end, and judge::Interrupted.
struct SweepPlan {
    std::uint64_t first = 0;
    std::uint32_t look = 0;
    std::uint32_t count = 0;
};
std::vector<events::Swept> sweep(const Proof& proof, const model::Mistake& mistake, const SweepPlan& plan,
                                 const std::vector<std::string>& without, int cancel_fd);

/// Judges a right program with `count` seeds from `first` on, up to one with which it is not accepted: that
/// is a gap. Throws as `run_trial` does.
void try_right_program(const build::Workshop& workshop, const Proof& proof, Trial& trial, std::uint64_t first,
                       std::uint64_t count, int cancel_fd);

/// Whether a mistake, of which the judged build has been measured, is to be looked at in the checked build.
bool needs_checked_build(const model::Mistake& mistake);

/// Judges one mistake in both builds, with the first seeds. Needs `proof.checked`.
std::vector<CheckedRun> run_checked(const build::Workshop& workshop, const Proof& proof,
                                    const model::Mistake& mistake, int cancel_fd);

} // namespace verify
