#include "harness/adversity/probe.h"

#include <array>

namespace harness {
namespace {

constexpr Dues always{}, thorough{Due::thorough, Due::thorough}, never{Due::never, Due::never};
/// A program that is watched takes several times as long for each call, and shows what it is watched for in
/// others, too.
constexpr Dues watched_thoroughly{Due::graded, Due::thorough};
constexpr Dues unwatched{Due::graded, Due::never}, unwatched_thorough{Due::thorough, Due::never};

constexpr std::array rows{
    // sizes()
    ProbeRow{Probe::size, "size", "one extent at a boundary", always, always},
    ProbeRow{Probe::two_sizes, "two sizes", "two extents at boundaries", always, always},
    ProbeRow{Probe::long_extent, "long extent", "an extent that 16 bits do not count", always,
             unwatched_thorough},
    ProbeRow{Probe::own_sizes, "own sizes", "sizes that the suite adds", watched_thoroughly, unwatched},
    ProbeRow{Probe::two_large, "two large", "much to do along two extents", watched_thoroughly,
             unwatched_thorough},
    ProbeRow{Probe::long_and_narrow, "long and narrow", "hardly more rows or columns than threads", thorough,
             never},
    ProbeRow{Probe::last_id, "last id", "the last row of a table just too long for fewer bits",
             watched_thoroughly, unwatched},
    // gaps()
    ProbeRow{Probe::whole_vectors, "whole vectors", "dense rows of whole vectors, then the same elsewhere",
             always, always},
    ProbeRow{Probe::one_gap, "one gap", "the rows of one argument lie apart", always, always},
    ProbeRow{Probe::gap_that_goes_on, "gap that goes on", "a gap holds what its row ends with", always,
             always},
    ProbeRow{Probe::one_gap_and_special, "one gap and special",
             "a special value, the rows of one argument apart", watched_thoroughly, watched_thoroughly},
    ProbeRow{Probe::equal_gaps, "equal gaps", "all rows lie equally far apart", always, always},
    ProbeRow{Probe::equal_gaps_and_special, "equal gaps and special",
             "a special value or a refusal, all rows equally far apart", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::shared_memory, "shared memory", "one argument in the gaps of another", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::gap_pages, "gap pages", "gaps of whole pages that may not be written", watched_thoroughly,
             never},
    ProbeRow{Probe::unequal_gaps, "unequal gaps", "the rows of each argument another distance apart", always,
             always},
    ProbeRow{Probe::gaps_and_two_specials, "gaps and two specials", "two special values, all rows apart",
             watched_thoroughly, never},
    ProbeRow{Probe::gaps_of_one, "gaps of one", "rows apart where an extent is 1", always, always},
    ProbeRow{Probe::gaps_of_long_rows, "gaps of long rows", "long rows apart", always, always},
    // empty_axes()
    ProbeRow{Probe::empty, "empty", "extents of 0", always, always},
    ProbeRow{Probe::null_views, "null views", "empty views with null pointers", always, always},
    ProbeRow{Probe::empty_and_refused, "empty and refused", "a refusal where an extent is 0",
             watched_thoroughly, watched_thoroughly},
    ProbeRow{Probe::empty_and_special, "empty and special", "a special value where an extent is 0",
             watched_thoroughly, watched_thoroughly},
    // special_cases()
    ProbeRow{Probe::special, "special", "a special value", always, always},
    ProbeRow{Probe::refused, "refused", "what the contract refuses", always, always},
    ProbeRow{Probe::held_negatives, "held negatives", "outputs hold the negative of what is right",
             watched_thoroughly, watched_thoroughly},
    ProbeRow{Probe::nearly_done, "nearly done", "outputs hold what is right but for few elements",
             watched_thoroughly, watched_thoroughly},
    ProbeRow{Probe::special_on_negatives, "special on negatives",
             "a special value, outputs hold the negative of what is right", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::single, "single", "all extents 1", always, always},
    ProbeRow{Probe::single_refused, "single refused", "a refusal where all extents are 1", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::rounding_upward, "rounding upward", "the caller's arithmetic rounds upward",
             watched_thoroughly, never},
    ProbeRow{Probe::scaled, "scaled", "numbers that are all tiny or all huge", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::below_normal, "below normal", "numbers below the normal ones", always, never},
    ProbeRow{Probe::level, "level", "equal elements but for the last", watched_thoroughly, never},
    ProbeRow{Probe::special_elsewhere, "special elsewhere", "a special value where extents are 1 or 67",
             watched_thoroughly, never},
    ProbeRow{Probe::two_specials_elsewhere, "two specials elsewhere",
             "two special values where extents are 1 or 67", thorough, never},
    ProbeRow{Probe::special_of_many, "special of many", "a special value among thousands of rows",
             watched_thoroughly, watched_thoroughly},
    ProbeRow{Probe::refused_of_many, "refused of many", "a refusal among thousands of rows",
             watched_thoroughly, watched_thoroughly},
    ProbeRow{Probe::refused_id_of_many, "refused id of many", "a bad id among 70,003", thorough, always},
    ProbeRow{Probe::repeated_id_of_many, "repeated id of many", "the first id again as the last of many",
             watched_thoroughly, never},
    ProbeRow{Probe::late_bad_id, "late bad id", "a bad id late among so many that threads share them",
             watched_thoroughly, always},
    ProbeRow{Probe::two_specials, "two specials", "special values of two arguments", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::two_refusals, "two refusals", "refusals of two arguments", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::special_and_refused, "special and refused",
             "a special value of one, a refusal of another", watched_thoroughly, watched_thoroughly},
    // history()
    ProbeRow{Probe::in_place, "in place", "one argument changed in place, and back", always, always},
    ProbeRow{Probe::ids_of_before, "ids of before", "the ids of the call before in a smaller table", always,
             always},
    ProbeRow{Probe::all_but_one, "all but one", "one element of each row changed in place",
             watched_thoroughly, watched_thoroughly},
    ProbeRow{Probe::moved, "moved", "an equal call, its views elsewhere", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::moved_vectors, "moved vectors", "the same of rows of whole vectors", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::moved_short, "moved short", "the same of very short rows", watched_thoroughly, always},
    ProbeRow{Probe::moved_apart, "moved apart", "the same of short rows whole vectors apart",
             watched_thoroughly, watched_thoroughly},
    ProbeRow{Probe::moved_long, "moved long", "the same of long rows", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::moved_special, "moved special", "the same with each value of an option",
             watched_thoroughly, watched_thoroughly},
    ProbeRow{Probe::long_after, "long after", "an equal call after hundreds, or tens of thousands, of others",
             thorough, never},
    ProbeRow{Probe::after_other_numbers, "after other numbers",
             "an equal call after one of special or scaled numbers", watched_thoroughly, never},
    ProbeRow{Probe::after_longer, "after longer", "an equal call after a longer one", watched_thoroughly,
             never},
    ProbeRow{Probe::after_other_value, "after other value", "a value right after each other one",
             watched_thoroughly, watched_thoroughly},
    ProbeRow{Probe::walk, "walk", "many calls of small numbers, one after another", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::own_sizes_again, "own sizes again", "equal calls of the suite's own sizes",
             watched_thoroughly, unwatched},
    ProbeRow{Probe::after_refused, "after refused", "a call after a refused one", watched_thoroughly,
             watched_thoroughly},
    ProbeRow{Probe::after_other_sizes, "after other sizes", "a call after one of other sizes", always,
             always},
    // after()
    ProbeRow{Probe::after_other_function, "after other function", "a call after one of another function",
             watched_thoroughly, watched_thoroughly},
    // far()
    ProbeRow{Probe::very_long, "very long", "an extent above 2^21", thorough, never},
    ProbeRow{Probe::far_rows, "far rows", "rows beyond elements 2^31 and 2^32", always, always},
    ProbeRow{Probe::farther_rows, "farther rows", "a distance of rows that 32 bits do not hold", always,
             always},
    ProbeRow{Probe::late_start, "late start", "a window that begins behind 2^31 positions", always, always},
    ProbeRow{Probe::shared_memory_of_block, "shared memory of block",
             "rows that fill a block's shared memory", never, always},
    ProbeRow{Probe::rehearsed, "rehearsed", "launches of 2^28 elements that are asked for and not made",
             never, always},
    ProbeRow{Probe::dense_tall, "dense tall", "a dense table of more than 2^24 rows", thorough, thorough},
    ProbeRow{Probe::tall, "tall", "a table whose last rows lie beyond element 2^32", always, always},
    ProbeRow{Probe::tall_vectors, "tall vectors", "the same with rows of whole vectors", thorough, thorough},
    ProbeRow{Probe::above_53_bits, "above 53 bits", "more rows without elements than a double counts", always,
             always},
    ProbeRow{Probe::rehearsed_rows, "rehearsed rows", "launches of more rows than 32 bits count", never,
             always},
    ProbeRow{Probe::above_32_bits, "above 32 bits", "more rows than 31 or 32 bits count", always, always},
};

constexpr bool in_order() {
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (rows.at(k).probe != Probe(k)) return false;
    return Probe(rows.size() - 1) == Probe::above_32_bits;
}
static_assert(in_order(), "a row for each probe, in the order of their names");

} // namespace

const ProbeRow& row_of(Probe probe) {
    return rows.at(static_cast<std::size_t>(probe));
}

} // namespace harness
