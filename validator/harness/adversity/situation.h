#pragma once

#include "harness/adversity/coverage.h"
#include "harness/adversity/extents.h"
#include "harness/adversity/parameter.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// An extent, its value in ordinary calls, the largest that is worth trying in many calls, and the largest
/// that the contract allows or that right programs have time for.
struct ExtentDomain {
    std::string name;
    std::size_t ordinary = 3;
    std::size_t largest = 4097;
    std::size_t least = 0;
    std::size_t limit = std::numeric_limits<std::size_t>::max();

    bool is_unlimited() const { return largest >= 4097; }
    bool allows(std::size_t size) const { return size >= least && size <= largest; }
    /// The same, where a few calls may have any size.
    bool takes(std::size_t size) const { return allows(size) || (is_unlimited() && size <= limit); }
};

/// A matrix whose rows lie so far apart, or are so many, that offsets need more than 32 bits.
struct FarMatrix {
    std::string name;
    std::size_t stride = 0;
    std::size_t last_row = 0;   ///< of those in use
    bool chosen_by_ids = false; ///< only rows that an id names are used
};

/// A call that differs from ordinary ones in a way that has words.
struct Situation {
    std::set<std::string> words;
    Extents extents;
    std::vector<Shaping> shapings; ///< one a parameter
    std::set<std::pair<std::string, Adversity>> reaches;
    std::set<std::string> properties; ///< what else is true of the call, and need not be said of it
    bool refused = false;
    std::optional<FarMatrix> far{};

    bool has_empty_axis() const;
};

/// Nothing where both are about the same argument.
std::optional<Situation> merged(const Situation& a, const Situation& b);

/// Every two of these situations that are about different arguments.
std::vector<Situation> pairs_of(const std::vector<Situation>& all, Adversity adversity);
/// Calls in which every two of these situations meet that are about different arguments, as many in each call
/// as `most`: fewer than the pairs, but a value may hide what two others do together.
std::vector<Situation> packed(const std::vector<Situation>& all, std::size_t most, Adversity adversity);
/// Every one of these together with every one of those that is about another argument.
std::vector<Situation> crossed(const std::vector<Situation>& these, const std::vector<Situation>& those,
                               Adversity adversity);

/// The same in fewer calls: each of `those` with up to `most` of `these`.
std::vector<Situation> shared_out(const std::vector<Situation>& these, const std::vector<Situation>& those,
                                  std::size_t most, Adversity adversity);

/// The same, where views that are empty have null pointers.
Situation with_null_views(Situation situation);

/// The same, with all real numbers of all arguments times a power of two.
Situation with_numbers_times(Situation situation, int power_of_two);

/// The sizes that a function's calls can have.
class Situations {
  public:
    using Changes = std::vector<std::pair<std::string, std::size_t>>;

    Situations(std::vector<ExtentDomain> extents, std::size_t parameters)
        : extents_(std::move(extents)), parameters_(parameters) {}

    const std::vector<ExtentDomain>& extents() const { return extents_; }

    Situation ordinary() const { return with({}); }
    Situation with(const Changes& changed) const;
    Situation with_all(std::size_t size) const;      ///< or the least that an extent can be
    Situation with_at_most(std::size_t size) const;  ///< every extent that size, or its largest
    Situation with_at_least(std::size_t size) const; ///< every extent ordinary or that size, or its largest
    /// Every extent ordinary, but within these bounds, or its largest.
    Situation between(std::size_t least, std::size_t most) const;
    /// One extent that long, the others ordinary or `others`, whichever is less.
    Situation mostly_small(const ExtentDomain& large_one, std::size_t size, std::size_t others) const;

    std::vector<Situation> boundaries(const std::vector<std::size_t>& sizes) const;        ///< each extent
    std::vector<Situation> paired_boundaries(const std::vector<std::size_t>& sizes) const; ///< every two
    std::vector<Situation> empty() const; ///< each axis empty by itself, pairs of them, and all
    /// Every two extents, one so long and the other so wide, and the other way round: work is shared out only
    /// where there is much of it in both directions.
    std::vector<Situation> large_pairs(std::size_t length, std::size_t width) const;
    /// Each extent in turn that has no limit, so long, the others at most `others`.
    std::vector<Situation> long_ones(const std::vector<std::size_t>& sizes, std::size_t others) const;
    /// Each extent in turn, so long, whether or not it is worth trying, the others at most `others`.
    std::vector<Situation> boundless_ones(std::size_t size, std::size_t others) const;
    /// Calls of other sizes: none, one, and more than usual of each extent, and every two extents exchanged.
    std::vector<Situation> other_sizes() const;
    /// "V x C", for every pair of extents
    std::vector<std::string> pair_names() const;

  private:
    template <class Body>
    void for_pairs(Body&& body) const;

    std::vector<ExtentDomain> extents_;
    std::size_t parameters_;
};

} // namespace harness
