#pragma once

#include "events/event.h"
#include "model/judgement.h"
#include "model/problem.h"

#include <cstdint>
#include <string>
#include <vector>

/// Which tests fail for which mistake: what seeds have shown becomes what kills.json says.
namespace verify {

/// The seeds that a kills.json is made from.
inline constexpr model::KillSeeds measured_seeds{.first = 1, .count = 200, .checked = 3};
/// So many of them for a test that does not fail with all.
inline constexpr std::uint32_t first_look = 16;

/// How a test goes with a mistake.
enum class Kill {
    never,
    sometimes,
    always,      ///< as far as many seeds have shown
    constructed, ///< always, by an input that does not depend on the seed
};

Kill kill_of(const events::Tally& tally);

/// What was measured, with what was known before by another measurement: of that, only a pair that a later
/// seed has moved to `sometimes` still counts, and only where it fails by chance.
Kill merged(Kill measured, bool was_sometimes);

/// Writes what the judged build showed into a mistake. `again` says that what it has is measured, too.
void take_over(const std::vector<events::Swept>& swept, bool again, model::Mistake& mistake);

/// Whether the judged build shows, whatever the seed, that the mistake fails the test.
bool surely_fails(const model::Mistake& mistake, const std::string& test);

/// What the checked build showed with one seed.
struct CheckedRun {
    std::vector<std::string> failed;       ///< tests, in either build
    std::vector<model::FindingKind> finds; ///< each kind once
};

/// Adds what only the checked build shows: tests that fail with each of its seeds, and with some. What it
/// finds is said as the first seed has it, with which it is checked.
void add_checked(const std::vector<CheckedRun>& runs, model::Mistake& mistake);

/// A pair that a seed shows to be otherwise than kills.json says.
struct Contradiction {
    std::string mistake;
    std::string test;
    bool failed = false; ///< else it passed
    std::uint64_t seed = 0;
};

/// "move 'a test' of a-mistake from always to sometimes: it passed with seed 12"
std::string words(const Contradiction& contradiction);

/// How the tests that failed, of those that ran, contradict what is said of a mistake.
std::vector<Contradiction> contradictions(const model::Mistake& mistake, const std::vector<std::string>& ran,
                                          const std::vector<std::string>& failed, std::uint64_t seed);
/// The same from a sweep of the judged build, which says nothing of what only the checked build shows.
std::vector<Contradiction> contradictions(const model::Mistake& mistake,
                                          const std::vector<events::Swept>& swept);

/// Moves the pair to `sometimes`.
void move_to_sometimes(const Contradiction& contradiction, model::Problem& problem);

/// Whether a mistake can be recognised by what it did: one that only ever stops at a line is told by that
/// line. What comes of a race follows no rule, and it is told by both of its lines. Nor does what comes of
/// memory that is not the program's own; of hidden tests no line is told, so one in a visible test counts.
bool is_nameable(const model::Judgement& judgement);

} // namespace verify
