#pragma once

#include <string_view>

namespace harness {

/// A kind of call that the suites make of each function (probe.cpp says what it is and when it is due).
enum class Probe {
    size,
    two_sizes,
    long_extent,
    own_sizes,
    two_large,
    long_and_narrow,
    last_id,
    whole_vectors,
    one_gap,
    gap_that_goes_on,
    one_gap_and_special,
    equal_gaps,
    equal_gaps_and_special,
    shared_memory,
    gap_pages,
    unequal_gaps,
    gaps_and_two_specials,
    gaps_of_one,
    gaps_of_long_rows,
    empty,
    null_views,
    empty_and_refused,
    empty_and_special,
    special,
    refused,
    held_negatives,
    nearly_done,
    special_on_negatives,
    single,
    single_refused,
    rounding_upward,
    scaled,
    below_normal,
    level,
    special_elsewhere,
    two_specials_elsewhere,
    special_of_many,
    refused_of_many,
    refused_id_of_many,
    repeated_id_of_many,
    late_bad_id,
    two_specials,
    two_refusals,
    special_and_refused,
    in_place,
    ids_of_before,
    all_but_one,
    moved,
    moved_vectors,
    moved_short,
    moved_apart,
    moved_long,
    moved_special,
    long_after,
    after_other_numbers,
    after_longer,
    after_other_value,
    walk,
    own_sizes_again,
    after_refused,
    after_other_sizes,
    after_other_function,
    very_long,
    far_rows,
    farther_rows,
    late_start,
    shared_memory_of_block,
    rehearsed,
    dense_tall,
    tall,
    tall_vectors,
    above_53_bits,
    rehearsed_rows,
    above_32_bits,
};

/// In which runs a probe's calls are made.
enum class Due { graded, thorough, never };

/// Where calls run at full speed, and where they are watched: in the sanitized or race-checked build, or
/// traced.
struct Dues {
    Due judged = Due::graded;
    Due watched = Due::graded;
};

struct ProbeRow {
    Probe probe{};
    std::string_view name;
    std::string_view sentence; ///< what its calls are
    Dues calls;                ///< of functions that run on the host alone
    Dues launches;             ///< of functions that launch kernels
};

const ProbeRow& row_of(Probe probe);

} // namespace harness
