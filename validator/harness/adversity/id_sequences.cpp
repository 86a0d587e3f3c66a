#include "harness/adversity/id_sequences.h"

#include <limits>

namespace harness {

std::int64_t ordinary_id(std::size_t vocabulary, Random& random) {
    return vocabulary == 0 ? 0 : static_cast<std::int64_t>(random.size(0, vocabulary - 1));
}

namespace {

/// `bad` at one place, which is the first, the middle or the last of the sequence.
IdSequence bad_at(std::string words, double place, std::function<std::int64_t(std::size_t vocabulary)> bad) {
    return {{std::move(words), true},
            [place, bad](std::size_t i, std::size_t count, std::size_t vocabulary, Random& random) {
                const auto at = static_cast<std::size_t>(place * static_cast<double>(count - 1));
                return i == at ? bad(vocabulary) : ordinary_id(vocabulary, random);
            }};
}

std::vector<IdSequence> ordinary_sequences() {
    const auto id = [](std::size_t v) { return static_cast<std::int64_t>(v); };
    return {
        {{"all ids are 0"}, [](std::size_t, std::size_t, std::size_t, Random&) { return std::int64_t{0}; }},
        {{std::string(all_ids_are_last)},
         [id](std::size_t, std::size_t, std::size_t V, Random&) { return id(V == 0 ? 0 : V - 1); }},
        {{"ids go up by one"},
         [id](std::size_t i, std::size_t, std::size_t V, Random&) { return id(V == 0 ? 0 : i % V); }},
        {{"ids go down by one"},
         [id](std::size_t i, std::size_t, std::size_t V, Random&) { return id(V == 0 ? 0 : V - 1 - i % V); }},
        {{"each id comes twice in a row"},
         [id](std::size_t i, std::size_t, std::size_t V, Random&) { return id(V == 0 ? 0 : i / 2 % V); }},
        {{std::string(first_id_again_at_the_end)},
         [](std::size_t i, std::size_t count, std::size_t V, Random& random) {
             return i == 0 || i + 1 == count || V < 2 ? std::int64_t{0} : 1 + ordinary_id(V - 1, random);
         }},
    };
}

std::vector<IdSequence> bad_sequences() {
    using Limits = std::numeric_limits<std::int32_t>;
    const auto id = [](std::size_t v) { return static_cast<std::int64_t>(v); };
    const auto always = [](std::int64_t bad) { return [bad](std::size_t) { return bad; }; };
    return {
        bad_at("the first id is -1", 0, always(-1)),
        bad_at(std::string(last_id_is_negative), 1, always(-1)),
        bad_at("the first id is the vocabulary size", 0, id),
        bad_at("an id in the middle is the vocabulary size", 0.5, id),
        bad_at("the last id is the vocabulary size", 1, id),
        bad_at("an id is one above the vocabulary size", 0.5, [id](std::size_t V) { return id(V + 1); }),
        bad_at("an id is minus the vocabulary size", 0.5,
               [id](std::size_t V) { return -id(V) - (V == 0 ? 1 : 0); }),
        bad_at("an id is the largest number of 32 bits", 0.5, always(Limits::max())),
        bad_at("an id is the smallest number of 32 bits", 0.5, always(Limits::min())),
        bad_at("an id is -2^31 + 1", 1, always(Limits::min() + 1)),
        {{"two ids are bad, the second one negative", true},
         [id](std::size_t i, std::size_t count, std::size_t V, Random& random) {
             if (i == count / 3) return id(V);
             return i + 1 == count ? -1 : ordinary_id(V, random);
         }},
        {{"two ids are bad, the first one negative", true},
         [id](std::size_t i, std::size_t count, std::size_t V, Random& random) {
             if (i == count / 3) return std::int64_t{-2};
             return i + 1 == count ? id(V + 7) : ordinary_id(V, random);
         }},
        {{std::string(bad_from_a_fifth_on), true},
         [id](std::size_t i, std::size_t count, std::size_t V, Random& random) {
             return i >= count / 5 ? id(V) : ordinary_id(V, random);
         }},
    };
}

/// Ids that are right, or bad in another way, once they have lost their upper half.
std::vector<IdSequence> bad_sequences_of_64_bits() {
    using Limits = std::numeric_limits<std::int64_t>;
    const auto always = [](std::int64_t bad) { return [bad](std::size_t) { return bad; }; };
    return {
        bad_at("an id is 2^31", 0.5, always(1LL << 31)),
        bad_at("the first id is 2^32", 0, always(1LL << 32)),
        bad_at("an id is 2^32 + 1", 0.5, always((1LL << 32) + 1)),
        bad_at("the last id is -2^32", 1, always(-(1LL << 32))),
        bad_at("an id is 2^53 + 1", 0.5, always((1LL << 53) + 1)),
        bad_at("an id is the largest number of 64 bits", 0.5, always(Limits::max())),
        bad_at("an id is the smallest number of 64 bits", 0.5, always(Limits::min())),
    };
}

std::vector<IdSequence> join(std::vector<std::vector<IdSequence>> lists) {
    std::vector<IdSequence> all;
    for (auto& list : lists)
        all.insert(all.end(), list.begin(), list.end());
    return all;
}

} // namespace

const std::vector<IdSequence>& id_sequences(std::size_t bytes_of_an_id) {
    static const std::vector<IdSequence> of_32_bits = join({ordinary_sequences(), bad_sequences()});
    static const std::vector<IdSequence> of_64_bits =
        join({ordinary_sequences(), bad_sequences(), bad_sequences_of_64_bits()});
    return bytes_of_an_id == sizeof(std::int64_t) ? of_64_bits : of_32_bits;
}

} // namespace harness
