#pragma once

#include "harness/adversity/common.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace harness {

/// What kinds of wrong a finding is, the same words for the same kind, empty where one has none; and where.
struct Effect {
    std::set<std::string> words;
    WrongPlaces where;
    bool of_last_call = false;               ///< what the last call did, whatever was called before it
    const void* output = nullptr;            ///< what is wrong, where it lies in memory
    std::string in_general = {};             ///< where nothing better is known: "the mean is wrong"
    std::vector<std::string> functions = {}; ///< whose calls it comes of
};

/// What is known of the calls that a suite makes by hand. Each claim is about those since the claim before;
/// several may be about the same ones, and what fails first explains the rest.
class Claims {
  public:
    void begin_case();
    /// A claim is made after so many calls of the case.
    void made_after(std::size_t calls);
    /// Whether it is the first about its calls that fails; it is no longer, then.
    bool is_first_to_fail();
    /// The function that wrote `effect.output`, or was called last if it is what that did, or all that were
    /// called since the claim before, in the order of their calls.
    std::vector<std::string> functions(const Effect& effect) const;

    void note_failure(const Effect& effect);
    /// What the failing calls have in common, by the functions: "make and state". Not of those that are
    /// `known` better, or that failed in calls of too many functions.
    std::map<std::string, std::string> take_what_failures_share(const std::set<std::string>& known);

  private:
    std::size_t before_ = 0, after_ = 0; ///< calls before those that the last claim is about, and with them
    bool failed_ = false;                ///< a claim about these has failed
    std::map<std::vector<std::string>, std::vector<CallFacts>> noted_;
    std::set<std::string> unexplained_;
};

} // namespace harness
