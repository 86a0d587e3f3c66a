#pragma once

#include "harness/adversity/callable.h"
#include "harness/adversity/caller.h"
#include "harness/adversity/probe.h"
#include "harness/adversity/turns.h"
#include "harness/depth.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// The calls of one function in one test.
class Calls {
  public:
    Calls(const Callable& function, Caller& caller) : function_(function), caller_(caller) {}

    /// Whether calls of this probe are due in this run; those that follow are its.
    bool starts(Probe probe);
    /// A call that is compared with the reference's; `when` says after what it comes.
    void operator()(const Situation& situation, const std::string& when = {});
    void operator()(const Situation& situation, Operands& operands, const std::string& when);
    void all(const std::vector<Situation>& situations);
    void those_with(std::string_view words, const std::vector<Situation>& situations);
    /// Of combined circumstances every call, or every seventh where a call launches kernels; in a graded run
    /// every third, or every fourteenth.
    void some(const std::vector<Situation>& situations);
    /// Each of these refusals together with each of these values that are accepted; in a graded run two of
    /// the latter in a call.
    void crossed(const std::vector<Situation>& accepted, const std::vector<Situation>& refused,
                 Adversity adversity);
    /// Every two of these values that are accepted together; in a graded run up to three in a call.
    void pairs_of(const std::vector<Situation>& accepted, Adversity adversity);
    /// The call where outputs hold the negative of what is right: what it holds already may pass for it.
    void holding_negatives(const Situation& situation);
    /// The call where outputs hold what is right but for one element of each row, or of one: what some of
    /// them say may pass for all.
    void nearly_done(const Situation& situation);
    /// The call where all elements of one input are equal but the last, or the last of each row, for each
    /// input in turn: what is true of most of them may pass for true of all.
    void level(const Situation& situation);
    /// The call where the gaps of one input go on as its rows end: a run of equal elements ends with the row.
    void going_on_in_gaps(const Situation& situation, std::size_t which);
    /// The call with one argument in the gaps of another one, so many elements behind the end of a row.
    void lodged(const Situation& situation, std::size_t guest, std::size_t host, std::size_t behind);
    /// The call where what lies between the rows of one argument is not to be written, not even for a while.
    void in_pages(const Situation& situation, std::size_t which);
    /// A call that finds its thread rounding upward: whether it leaves that so. Results are not compared.
    void rounding_upward(Situation situation);
    /// So many calls in a row, fewer where they take long. Results are not compared.
    void many(const Situation& situation, std::uint32_t times);
    /// A call whose launches are asked for, and not made: nothing is compared.
    void rehearsed(const Situation& situation, Operands& operands);
    /// The same where no output has elements: the result is compared.
    void rehearsed(const Situation& situation);
    /// A call that has to do the same, bit for bit, as the submission did in an earlier one.
    void equal(const Situation& situation, Operands& operands, const Agreement::Left& earlier,
               const std::string& when);
    Random& random() { return caller_.random(); }

  private:
    void compare(Operands& operands, CallFacts& facts) const;
    std::string gaps_of(std::size_t which) const;
    subject::Kept kept_in(const Situation& situation, const Operands& operands) const;
    void attempt(const Situation& situation, const Operands& operands, const std::string& when,
                 const std::function<void(CallFacts&)>& check);

    const Callable& function_;
    Caller& caller_;
    Probe probe_ = Probe::size;
    Turns combined_{function_.launches ? by_depth(14U, 7U) : by_depth(3U, 1U)};
};

} // namespace harness
