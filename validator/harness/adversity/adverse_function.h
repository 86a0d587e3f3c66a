#pragma once

#include "harness/adversity/callable.h"
#include "harness/adversity/calls.h"
#include "harness/adversity/situation.h"

#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// Whether an implementation may have a reason to visit every row of a table. Where it has none, tables have
/// more rows than 32 bits count, too.
enum class Visits { every_row, few_rows };

/// One function of a contract under the circumstances that every call must survive. Each parameter's role
/// says what can be adverse about it; each call is compared with the reference: the result, every element of
/// every output, and every gap. Suites make one by Adverse, which knows the function's types.
class AdverseFunction {
  public:
    AdverseFunction(const AdverseFunction&);
    AdverseFunction& operator=(const AdverseFunction&) = delete;
    ~AdverseFunction();

    /// Each extent at its boundaries, pairs of extents, two of them large, each very long, what `also` added.
    void sizes();
    /// Rows that lie apart: each argument alone, all by the same distance, each by another; with gaps that
    /// may not be written for a while either.
    void gaps();
    /// Each axis empty alone, pairs of them, all, and each together with every special case.
    void empty_axes();
    /// Every special case of every argument, alone and together with each of another argument, some of them
    /// where all sizes are 1 or one is 67; refusals where all sizes are 1, too. Of two refusals: which comes
    /// first?
    void special_cases();
    /// One call after another on the same memory: A, B, A with one argument changed in place; after a refused
    /// call; after a larger and after a smaller one; and the same call with its views elsewhere. Calls of the
    /// sizes that `also` added are made several times: threads may meet in another order.
    void history();
    /// Calls after one of another function of the contract, which gets the same wherever a parameter has the
    /// same name, or the same but for one argument, with each special value of it: what one of them remembers
    /// is not what the other one asks for.
    void after(const AdverseFunction& other);
    /// Each matrix in turn where its rows begin beyond elements 2^31 and 2^32, and where 32 bits do not hold
    /// their distance; where a window begins after `start` positions, with so many that 32 bits do not count
    /// them; and each that has `vocabulary`
    /// rows with more than 2^24 of them, and so that the last ones lie beyond element 2^32. Where `visits`
    /// allows it, with more rows than 32 bits count, and than 53 bits where the rows have no elements.
    /// Launches are asked for, and not made, with each extent in turn so long that a grid counts it in x
    /// alone.
    void far(const std::string& vocabulary = {}, Visits visits = Visits::every_row);

  protected:
    AdverseFunction(Callable function, std::vector<ExtentDomain> extents);

    Agreement& agreement() { return function_.agreement; }
    void note_one_call() { function_.is_one_call = true; }
    void add_sizes(std::initializer_list<Extents> more);
    void leave_out(Adversity adversity, const std::string& parameter, const std::string& reason);
    void share_powers(std::set<std::string> first, std::set<std::string> second);

  private:
    void run(const std::function<void(Calls&)>& body);
    void declare() const;
    std::vector<std::size_t> boundaries() const;
    std::vector<std::size_t> paired() const;
    bool in_short() const;
    bool leaves_out(const std::string& parameter, Adversity adversity) const;
    void many_ids(Calls& call) const;
    void scale_numbers(const Situation& base, const Situation& single, Calls& call) const;

    Situation with_gaps(Situation situation, const std::vector<std::size_t>& which,
                        const std::function<std::size_t(std::size_t)>& gap) const;

    Situation with_numbers_times(const Situation& situation, int power_of_two) const;

    bool has_wide_rows(const Situation& situation) const;
    Situation with_ids(std::size_t count) const;
    std::vector<std::size_t> matrices() const;
    FarMemory far_memory(const Situation& wide, const Situation& small) const;
    /// What calls with far memory have in common.
    struct Far {
        FarMemory memory;
        const std::string& vocabulary; ///< the extent among whose rows ids choose; may be empty
        Calls& call;
    };
    void call_tall(Situation tall, std::size_t rows, std::size_t stride, const Far& far) const;
    void call_tall(Situation tall, std::size_t rows, std::size_t stride, const std::vector<std::size_t>& used,
                   const Far& far) const;
    void call_far(std::size_t which, Situation situation, std::size_t stride,
                  const std::vector<std::size_t>& rows, const Far& far) const;
    void call_late(const Far& far) const;
    void call_with_vocabulary(Situation wide, Visits visits, const Far& far) const;
    void rehearse(FarMemory memory, Calls& call) const;
    static bool has_row_for_each(const std::string& vocabulary, const AnyParameter& matrix, Extents extents);

    void begin_with_whole_vectors(Calls& call) const;
    void put_apart(const Situation& base, const std::vector<std::size_t>& strided, Calls& call) const;
    void share_memory(const Situation& base, const std::vector<std::size_t>& strided, Calls& call) const;
    void keep_gaps(const Situation& base, const std::vector<std::size_t>& strided, Calls& call) const;

    /// A call that the submission has made, of numbers whose sums depend on their order.
    struct Done {
        Situation rough;
        Operands untouched; ///< the arguments as they were
        Agreement::Left left;
    };
    Done done_with_rough_numbers(Situation situation, Calls& call) const;
    void repeat_in_place(const Situation& base, Calls& call) const;
    void repeat_ids(const Situation& base, Calls& call) const;
    void repeat_but_for_one(const Situation& base, Calls& call) const;
    std::vector<Situation> values_of(std::size_t which, const Situation& base, std::size_t max_values) const;
    void repeat_values(const Situation& base, Calls& call) const;
    void walk_over_numbers(const Situation& base, Calls& call) const;
    void repeat_long_after(Calls& call) const;
    Situation with_few_ids(Situation situation) const;
    void repeat_elsewhere(Calls& call) const;
    void repeat_after_others(const Done& first, Calls& call) const;
    using Shifts = std::vector<std::size_t>; ///< elements by which each argument's memory is moved
    Shifts all_by(std::size_t elements) const;
    void repeat_apart(Situation rough, Calls& call) const;
    void repeat_equal(Situation size, const std::vector<Shifts>& shifts, Calls& call) const;

    Callable function_;
    Situations situations_;
    std::vector<std::size_t> long_sizes_;
    std::size_t others_of_long_; ///< the most that the other extents are where one is very large
    std::vector<Extents> more_;
    std::map<std::pair<std::string, Adversity>, std::string> left_out_; ///< and why
    std::set<std::string> first_factors_, second_factors_; ///< of products that are added to what others hold
};

} // namespace harness
