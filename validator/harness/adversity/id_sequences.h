#pragma once

#include "harness/adversity/parameter.h"

#include <cstdint>
#include <string_view>

namespace harness {

/// Ids that are special as a sequence. `make` gives the id at `i` of `count`.
struct IdSequence {
    Special special;
    std::function<std::int64_t(std::size_t i, std::size_t count, std::size_t vocabulary, Random&)> make;
};

/// The words of a sequence that asks for nothing but the last row.
inline constexpr std::string_view all_ids_are_last = "all ids are the last one";

/// The words of a sequence of which one id has a row of its own at both ends.
inline constexpr std::string_view first_id_again_at_the_end = "the first id comes again as the last one only";

/// The words of a sequence of which only the last id is bad.
inline constexpr std::string_view last_id_is_negative = "the last id is -1";

/// The words of a sequence that goes bad within the first part of it that a thread may have, and stays so.
inline constexpr std::string_view bad_from_a_fifth_on =
    "all ids from a fifth of them on are the vocabulary size";

/// Those for ids of that many bytes: first the ordinary ones, then those with bad ids.
const std::vector<IdSequence>& id_sequences(std::size_t bytes_of_an_id);

/// An id below the vocabulary's size; 0 where that is 0.
std::int64_t ordinary_id(std::size_t vocabulary, Random& random);

} // namespace harness
