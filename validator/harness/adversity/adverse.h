#pragma once

#include "harness/adversity/callable.h"
#include "harness/adversity/ids.h"
#include "harness/adversity/parameters.h"
#include "harness/adversity/situation.h"
#include "harness/recorder.h"
#include "harness/suite.h"

#include <map>
#include <numeric>
#include <utility>

namespace harness {

/// Whether an implementation may have a reason to visit every row of a table. Where it has none, tables have
/// more rows than 32 bits count, too.
enum class Visits { every_row, few_rows };

/// One function of a contract under the circumstances that every call must survive. Each parameter's role
/// says what can be adverse about it; each call is compared with the reference: the result, every element of
/// every output, and every gap.
template <class Function>
class Adverse;

template <class Result, class... Arguments>
class Adverse<Result(Arguments...)> {
  public:
    using Called = Callable<Result(Arguments...)>;
    using Compared = typename Called::Compared;

    Adverse(std::string name, typename Called::Subject subject, typename Called::Reference reference,
            std::vector<ExtentDomain> extents, Parameter<subject::driver_t<Arguments>>... parameters)
        : function_{std::move(name), std::move(subject), reference,
                    typename Called::Known(std::move(parameters)...)},
          situations_(std::move(extents), sizeof...(Arguments)) {}

    /// How output `parameter` is compared; bit for bit where nothing else is said.
    Adverse& rule(const std::string& parameter, Rule rule) {
        function_.agreement.rule(parameter, std::move(rule));
        return *this;
    }
    /// Bounds of output `parameter`, an element each, from the arguments before the call.
    Adverse& bounds(const std::string& parameter, typename Compared::Bounds bounds) {
        function_.agreement.bounds(parameter, std::move(bounds));
        return *this;
    }
    /// Which elements of output `parameter`, by their number in reading order, keep or get every bit,
    /// whatever the rule is for the others.
    Adverse& exact(const std::string& parameter, typename Compared::Exact exact) {
        function_.agreement.exact(parameter, std::move(exact));
        return *this;
    }
    /// The contract lets equal calls differ in output `parameter`.
    Adverse& unordered(const std::string& parameter) {
        function_.agreement.unordered(parameter);
        return *this;
    }
    /// How results that are numbers or structs are compared; equal where nothing else is said.
    Adverse& result(typename Compared::ExpectResult expect) {
        function_.agreement.result(std::move(expect));
        return *this;
    }
    /// Sizes that the contract promises, or that programs are known to break at.
    Adverse& also(std::initializer_list<Extents> more) {
        more_.insert(more_.end(), more.begin(), more.end());
        return *this;
    }

    /// Leaves out what `parameter` (or extent) cannot be in, or what would prove nothing.
    Adverse& without(Adversity adversity, const std::string& parameter, const std::string& reason) {
        left_out_[{parameter, adversity}] = reason;
        return *this;
    }

    /// Each extent at its boundaries, pairs of extents, what `also` added.
    void sizes() {
        run([&](Calls& call) {
            for (const Extents& extents : more_)
                call(situations_.with(extents.values()));
            call.all(situations_.boundaries(others_of_long));
        });
    }

    /// Rows that lie apart: each argument alone, all by the same distance, each by another.
    void gaps() {
        run([&](Calls& call) {
            const std::vector<std::size_t> strided =
                function_.parameters.numbers_with([this](const auto& each) {
                    return each.has_gaps && !leaves_out(each.name, Adversity::gaps);
                });
            for (const Situation& base : {situations_.ordinary(), situations_.with_all(1),
                                          situations_.with_at_most(4), situations_.with_at_most(19)}) {
                for (const std::size_t k : strided) {
                    for (const std::size_t gap : {1, 3, 5, 8})
                        call(with_gaps(base, {k}, [&](std::size_t) { return gap; }));
                    // An option may take a short cut that asks of one argument alone whether it is dense.
                    call.some(
                        function_.specials_of(with_gaps(base, {k}, [](std::size_t) { return 2; }), false));
                }
                for (const std::size_t gap : {1, 4}) {
                    const Situation equal = with_gaps(base, strided, [&](std::size_t) { return gap; });
                    call(equal);
                    call.some(function_.specials_of(equal, false));
                    call.some(function_.specials_of(equal, true));
                }
                call(with_gaps(base, strided, [](std::size_t i) { return 2 * i + 1; }));
                call(with_gaps(base, strided, [&](std::size_t i) { return 2 * (strided.size() - i); }));
            }
        });
    }

    /// Each axis empty by itself, pairs of them, all, and each together with every special case.
    void empty_axes() {
        run([&](Calls& call) {
            for (const Situation& situation : situations_.empty()) {
                call(situation);
                call(with_null_views(situation));
                call.some(function_.specials_of(situation, true));
                call.some(function_.specials_of(situation, false));
            }
        });
    }

    /// Every special case of every argument, alone and together with each of another argument; refusals where
    /// all sizes are 1, too. Of two refusals: which comes first?
    void special_cases() {
        run([&](Calls& call) {
            const Situation base = situations_.ordinary(), single = situations_.with_all(1);
            const std::vector<Situation> accepted = function_.specials_of(base, false),
                                         refused = function_.specials_of(base, true);
            call.all(accepted);
            call.all(refused);
            call(single);
            call.all(function_.specials_of(single, true));
            // Where work is done in blocks, or shared among threads, a refusal has to come before all of it.
            for (const Situation& many : situations_.long_ones({5'003}, others_of_long)) {
                call.some(function_.specials_of(many, true));
                call.some(function_.specials_of(many, false));
            }
            for (const Situation& many : situations_.long_ones({70'003}, 1))
                call.all(function_.specials_of(many, true, [&](const auto& each) {
                    return each.id_count && each.id_count(many.extents) >= 70'003;
                }));
            const auto together = [&](std::vector<Situation> list, Adversity adversity) {
                if (!leaves_out("", adversity)) call.some(list);
            };
            together(pairs_of(accepted, Adversity::two_specials), Adversity::two_specials);
            together(pairs_of(refused, Adversity::two_refusals), Adversity::two_refusals);
            together(crossed(accepted, refused, Adversity::special_and_refused),
                     Adversity::special_and_refused);
        });
    }

    /// One call after another on the same memory: A, B, A with one argument changed in place; after a refused
    /// call; after a larger and after a smaller one; and the same call with its views elsewhere. Calls of the
    /// sizes that `also` added are made several times: threads may meet in another order.
    void history() {
        run([&](Calls& call) {
            const Situation base = situations_.ordinary();
            repeat_in_place(base, call);
            repeat_elsewhere(call);
            repeat_values(base, call);
            for (const Extents& extents : more_)
                repeat_equal(situations_.with(extents.values()), {0, 0, 0, 0, 0, 0, 0, 0}, call);
            for (const Situation& refused : function_.specials_of(base, true)) {
                call(refused, "after an ordinary call");
                call(base, "after a refused call");
            }
            for (const Situation& other : situations_.other_sizes()) {
                call(other);
                call(base, "after a call of other sizes");
            }
        });
    }

    /// Each matrix in turn where its rows begin beyond elements 2^31 and 2^32; and each that has `vocabulary`
    /// rows with more than 2^24 of them, and so that the last ones lie beyond element 2^32. Where `visits`
    /// allows it, with more rows than 32 bits count, and than 53 bits where the rows have no elements.
    void far(const std::string& vocabulary = {}, Visits visits = Visits::every_row) {
        run([&](Calls& call) {
            Situation wide = situations_.with_at_least(9);
            call(wide); // the largest ordinary call comes before far memory is made
            const FarMemory memory = far_memory(wide);
            for_matrices([&]<std::size_t I>() {
                call_far<I>(wide, far_stride,
                            first_rows(function_.parameters.template get<I>().row_count(wide.extents)),
                            memory, call);
            });
            if (vocabulary.empty()) return;
            constexpr std::size_t many = (std::size_t{1} << 24) + 3, apart = 257;
            wide.extents.set(vocabulary, many);
            call_tall(wide, many, wide.extents["C"], memory, call);
            call_tall(wide, many, apart, memory, call); // the last rows lie beyond element 2^32
            Situation bare = situations_.with({{"C", 0}});
            bare.extents.set(vocabulary, (std::size_t{1} << 53) + 1);
            bare.words.insert(vocabulary + " is above 2^53");
            const auto is_ids = [](const auto& each) { return bool(each.id_count); };
            call.all(function_.specials_of(bare, true, is_ids));
            if (visits == Visits::every_row) return;
            call(bare);
            call.all(function_.specials_of(bare, false, is_ids));
            for (const std::size_t rows : {(std::size_t{1} << 31) + 5, (std::size_t{1} << 32) + 5}) {
                Situation tall = situations_.with({{"C", 1}});
                tall.extents.set(vocabulary, rows);
                tall.words.insert(vocabulary + " is above 2^31");
                call_tall(tall, rows, 1, memory, call);
            }
        });
    }

  private:
    using Call = typename Called::Call;
    using Calls = FunctionCalls<Result(Arguments...)>;
    template <class Body>
    void run(Body&& body) {
        declare();
        Caller caller(function_.name, constructed());
        Calls calls(function_, caller);
        try {
            body(calls);
        } catch (...) { // a call that did not come back is the last one
            caller.conclude();
            throw;
        }
        caller.conclude();
    }

    /// What can be adverse about this function, for the record.
    void declare() const {
        Coverage& coverage = Recorder::current().coverage();
        const auto domain = [&](const std::string& parameter, Adversity adversity) {
            const auto reason = left_out_.find({parameter, adversity});
            if (reason == left_out_.end())
                coverage.declare(function_.name, parameter, adversity);
            else
                coverage.leave_out(function_.name, parameter, adversity, reason->second);
        };
        bool any_empty = false;
        for (const ExtentDomain& extent : situations_.extents()) {
            domain(extent.name, Adversity::sizes);
            if (extent.least > 0) continue;
            domain(extent.name, Adversity::empty);
            any_empty = true;
        }
        for (const std::string& pair : situations_.pair_names())
            domain(pair, Adversity::paired);
        int refusing = 0, special = 0;
        function_.parameters.for_each([&](const auto& parameter) {
            if (parameter.has_gaps) domain(parameter.name, Adversity::gaps);
            if (parameter.in_place) domain(parameter.name, Adversity::repeated);
            if (parameter.make_far) domain(parameter.name, Adversity::far);
            if (!parameter.specials) return;
            bool refuses = false, accepts = false;
            for (const Special& each : parameter.specials(situations_.ordinary().extents)) {
                domain(parameter.name, each.refused ? Adversity::refused : Adversity::special);
                (each.refused ? refuses : accepts) = true;
            }
            refusing += refuses ? 1 : 0;
            special += accepts ? 1 : 0;
        });
        if (special > 1) domain("", Adversity::two_specials);
        if (refusing > 1) domain("", Adversity::two_refusals);
        if (!crossed(function_.specials_of(situations_.ordinary(), false),
                     function_.specials_of(situations_.ordinary(), true), Adversity::special_and_refused)
                 .empty())
            domain("", Adversity::special_and_refused);
        domain("", Adversity::moved);
        if (any_empty) domain("", Adversity::null);
        if (refusing > 0 && any_empty) domain("", Adversity::empty_and_refused);
    }
    bool leaves_out(const std::string& parameter, Adversity adversity) const {
        return left_out_.contains({parameter, adversity});
    }

    template <class Gap>
    Situation with_gaps(Situation situation, const std::vector<std::size_t>& which, Gap&& gap) const {
        const std::vector<std::string> names = function_.parameters.names();
        bool equal = true;
        for (std::size_t i = 0; i < which.size(); ++i) {
            situation.shapings[which[i]].gap = gap(i);
            situation.words.insert("the rows of `" + names[which[i]] + "` lie apart");
            situation.reaches.insert({names[which[i]], Adversity::gaps});
            equal = equal && gap(i) == gap(0);
        }
        if (equal && which.size() > 1)
            situation.properties.insert("the rows of all arguments lie equally far apart");
        return situation;
    }

    static constexpr std::size_t far_elements = (std::size_t{1} << 32) + 4096;

    /// As much as the tallest matrix takes where its rows lie far apart.
    FarMemory far_memory(const Situation& wide) const {
        std::size_t rows = 0;
        for_matrices([&]<std::size_t I>() {
            rows = std::max(rows, function_.parameters.template get<I>().row_count(wide.extents));
        });
        const std::size_t bytes = std::max(rows * far_stride * sizeof(float), far_elements * sizeof(double));
        return {allocate_shared(bytes), bytes};
    }
    static std::vector<std::size_t> first_rows(std::size_t count) {
        std::vector<std::size_t> rows(count);
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        return rows;
    }

    template <class Body>
    void for_matrices(Body&& body) const {
        function_.parameters.for_each_number([&]<std::size_t I>() {
            const auto& parameter = function_.parameters.template get<I>();
            if (parameter.make_far && !leaves_out(parameter.name, Adversity::far))
                body.template operator()<I>();
        });
    }

    /// Each matrix in turn that has so many rows; ids choose among few of them.
    void call_tall(Situation tall, std::size_t rows, std::size_t stride, FarMemory memory,
                   Calls& call) const {
        const std::vector<std::size_t> used = far_rows(rows, stride);
        for (Shaping& shaping : tall.shapings)
            shaping.rows = used;
        for_matrices([&]<std::size_t I>() {
            const auto& parameter = function_.parameters.template get<I>();
            if (parameter.row_count && parameter.row_count(tall.extents) == rows)
                call_far<I>(tall, std::max(stride, parameter.width(tall.extents)), used, memory, call);
        });
    }

    template <std::size_t I>
    void call_far(Situation situation, std::size_t stride, const std::vector<std::size_t>& rows,
                  FarMemory memory, Calls& call) const {
        const auto& parameter = function_.parameters.template get<I>();
        situation.words.insert("`" + parameter.name + "` reaches beyond element 2^31");
        situation.reaches.insert({parameter.name, Adversity::far});
        Call operands = Call::from([&]<std::size_t K>() {
            if constexpr (K == I)
                return parameter.make_far(situation.extents, stride, rows, memory, call.random());
            else
                return function_.parameters.template get<K>().make(situation.extents, situation.shapings[K],
                                                                   call.random());
        });
        call(situation, operands, "");
    }

    void repeat_in_place(const Situation& base, Calls& call) const {
        const Call a = function_.make(base, call.random());
        const Call b = function_.make(base, call.random());
        Call running = a.copy();
        call(base, running, "");
        running.assign(a);
        call(base, running, "again, with nothing changed");
        function_.parameters.for_each_number([&]<std::size_t I>() {
            const auto& parameter = function_.parameters.template get<I>();
            if (!parameter.in_place || leaves_out(parameter.name, Adversity::repeated)) return;
            running.assign(a);
            running.template get<I>().assign(b.template get<I>());
            Situation changed = base;
            changed.reaches.insert({parameter.name, Adversity::repeated});
            call(changed, running, "after one that was equal but for `" + parameter.name + "`");
            running.assign(a);
            call(base, running, "after the same and then another one");
        });
    }

    /// Each special value of an argument right after each other one, with all else equal: what is remembered
    /// of an option has to be remembered with every part of it.
    void repeat_values(const Situation& base, Calls& call) const {
        constexpr std::size_t max_values = 12;
        for (const std::size_t k :
             function_.parameters.numbers_with([](const auto& each) { return each.is_value; })) {
            std::vector<Situation> list = function_.specials_of(base, false);
            std::erase_if(list, [&](const Situation& each) { return !each.shapings[k].special; });
            if (list.size() > max_values) list.resize(max_values);
            const std::string when = "after one with another `" + function_.parameters.names()[k] + "`";
            for (std::size_t a = 0; a < list.size(); ++a)
                for (std::size_t b = a + 1; b < list.size(); ++b) {
                    call(list[a], when);
                    call(list[b], when);
                }
        }
    }

    /// Numbers whose sum depends on the order, at addresses that differ by less than a cache line.
    void repeat_elsewhere(Calls& call) const {
        Situation rough = situations_.with_at_most(37);
        rough.reaches.insert({"", Adversity::moved});
        repeat_equal(std::move(rough), {0, 1, 2, 3, 7}, call);
    }

    /// The same call again and again, its views moved by so many elements.
    void repeat_equal(Situation rough, std::initializer_list<std::size_t> shifts, Calls& call) const {
        for (Shaping& shaping : rough.shapings)
            shaping.rough = true;
        const Call untouched = function_.make(rough, call.random());
        typename Compared::Left first{untouched.copy()};
        first.result = Compared::answer_of(function_.subject, first.operands);
        for (const std::size_t by : shifts) {
            Call moved = untouched.copy();
            moved.move_by(by);
            call.equal(rough, moved, first,
                       by == 0 ? "after an equal one" : "after an equal one, its views elsewhere");
        }
    }

    static constexpr std::size_t others_of_long = Called::launches ? 1 : 2;

    Called function_;
    Situations situations_;
    std::vector<Extents> more_;
    std::map<std::pair<std::string, Adversity>, std::string> left_out_; ///< and why
};

template <class Subject, class Result, class... Arguments, class... Parameters>
Adverse(std::string, const Subject&, Result (*)(Arguments...), std::vector<ExtentDomain>, Parameters...)
    -> Adverse<Result(Arguments...)>;

} // namespace harness
