#pragma once

#include "harness/adversity/common.h"
#include "harness/adversity/ids.h"
#include "harness/adversity/parameters.h"
#include "harness/context.h"
#include "harness/recorder.h"
#include "harness/suite.h"
#include "subject/codec.h"

#include <functional>
#include <map>
#include <numeric>
#include <ranges>
#include <tuple>
#include <utility>

namespace harness {

/// An extent, its value in ordinary calls, and the largest that is worth trying.
struct ExtentDomain {
    std::string name;
    std::size_t ordinary = 3;
    std::size_t largest = 4097;
    std::size_t least = 0;
};

/// A call that differs from ordinary ones in a way that has words.
struct Situation {
    std::set<std::string> words;
    Extents extents;
    std::vector<Shaping> shapings; ///< one a parameter
    std::set<std::pair<std::string, Adversity>> reaches;
    std::set<std::string> properties; ///< what else is true of the call, and need not be said of it
    bool refused = false;
};

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
    using Subject = std::function<subject::driver_t<Result>(const subject::driver_t<Arguments>&...)>;
    using Reference = Result (*)(Arguments...);
    using Answer = std::conditional_t<std::is_void_v<Result>, int, Result>;
    using Bounds = std::function<std::vector<double>(const subject::driver_t<Arguments>&...)>;
    using Exact = std::function<std::function<bool(std::size_t)>(const subject::driver_t<Arguments>&...)>;

    Adverse(std::string name, Subject subject, Reference reference, std::vector<ExtentDomain> extents,
            Parameter<subject::driver_t<Arguments>>... parameters)
        : name_(std::move(name)), subject_(std::move(subject)), reference_(reference),
          extents_(std::move(extents)), parameters_(std::move(parameters)...) {}

    /// How output `parameter` is compared; bit for bit where nothing else is said.
    Adverse& rule(const std::string& parameter, Rule rule) {
        rules_[parameter] = std::move(rule);
        return *this;
    }
    /// Bounds of output `parameter`, an element each, from the arguments before the call.
    Adverse& bounds(const std::string& parameter, Bounds bounds) {
        rules_[parameter].kind = Rule::Kind::within;
        bounds_[parameter] = std::move(bounds);
        return *this;
    }
    /// Which elements of output `parameter`, by their number in reading order, keep or get every bit,
    /// whatever the rule is for the others.
    Adverse& exact(const std::string& parameter, Exact exact) {
        exact_[parameter] = std::move(exact);
        return *this;
    }
    /// How results that are numbers or structs are compared; equal where nothing else is said.
    Adverse& result(std::function<void(const Answer&, const Answer&)> expect) {
        expect_result_ = std::move(expect);
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

    /// Each extent at its boundaries, pairs of extents, what `also` added; with and without gaps.
    void sizes() {
        run([&](auto& call) {
            for (const Extents& extents : more_)
                call(with(extents.values()));
            // The largest first: a call that needs more memory than those before it gets another worker.
            for (const ExtentDomain& extent : extents_)
                for (const std::size_t size : std::views::reverse(boundary_sizes()))
                    if (size <= extent.largest && size >= extent.least) call(with({{extent.name, size}}));
            for (const ExtentDomain& extent : extents_)
                if (is_unlimited(extent))
                    for (const std::size_t size : long_sizes())
                        call(mostly_small(extent, size));
            for_pairs([&](const ExtentDomain& a, const ExtentDomain& b) {
                for (const std::size_t first : paired_sizes())
                    for (const std::size_t second : paired_sizes())
                        if (first <= a.largest && second <= b.largest && first >= a.least &&
                            second >= b.least)
                            call(with({{a.name, first}, {b.name, second}}));
            });
        });
    }

    /// Rows that lie apart: each argument alone, all by the same distance, each by another.
    void gaps() {
        run([&](auto& call) {
            const std::vector<std::size_t> strided =
                parameters_with([this](const auto& p) { return has_gaps(p); });
            for (const std::size_t scale : {0, 1, 2}) {
                for (const std::size_t k : strided)
                    for (const std::size_t gap : {1, 3, 5, 8})
                        call(with_gaps(
                            {k}, [&](std::size_t) { return gap; }, scale));
                for (const std::size_t gap : {1, 4}) {
                    const Situation equal = with_gaps(
                        strided, [&](std::size_t) { return gap; }, scale);
                    call(equal);
                    for_specials(equal, false, call);
                }
                call(with_gaps(
                    strided, [](std::size_t i) { return 2 * i + 1; }, scale));
                call(with_gaps(
                    strided, [&](std::size_t i) { return 2 * (strided.size() - i); }, scale));
            }
        });
    }

    /// Each axis empty by itself, pairs of them, all, and each together with everything that is refused.
    void empty_axes() {
        run([&](auto& call) {
            std::vector<Situation> empty;
            for (const ExtentDomain& extent : extents_)
                if (extent.least == 0) empty.push_back(with({{extent.name, 0}}));
            for_pairs([&](const ExtentDomain& a, const ExtentDomain& b) {
                if (a.least == 0 && b.least == 0) empty.push_back(with({{a.name, 0}, {b.name, 0}}));
            });
            empty.push_back(with_all(0));
            for (const Situation& situation : empty) {
                call(situation);
                call(with_null_views(situation));
                for_specials(situation, true, call);
            }
        });
    }

    /// Every special case of every argument, alone and together with each of another argument; refusals where
    /// all sizes are 1, too. Of two refusals: which comes first?
    void special_cases() {
        run([&](auto& call) {
            const Situation base = with({}), single = with_all(1);
            for_specials(base, false, call);
            for_specials(base, true, call);
            call(single);
            for_specials(single, true, call);
            // Where work is done in blocks, or shared among threads, a refusal has to come before all of it.
            for (const ExtentDomain& extent : extents_)
                if (is_unlimited(extent)) for_specials(mostly_small(extent, 5'003), true, call);
            for_two(specials_of(base, false), Adversity::two_specials, call);
            for_two(specials_of(base, true), Adversity::two_refusals, call);
        });
    }

    /// One call after another on the same memory: A, B, A with one argument changed in place; after a refused
    /// call; after a larger and after a smaller one; and the same call with its views elsewhere.
    void history() {
        run([&](auto& call) {
            const Situation base = with({});
            repeat_in_place(base, call);
            repeat_elsewhere(call);
            repeat_values(base, call);
            for (const Situation& refused : specials_of(base, true)) {
                call(refused, "after an ordinary call");
                call(base, "after a refused call");
            }
            for (const ExtentDomain& extent : extents_)
                for (const std::size_t size : {std::size_t{0}, std::size_t{1}, 2 * extent.ordinary + 1}) {
                    if (size < extent.least || size > extent.largest) continue;
                    call(with({{extent.name, size}}));
                    call(base, "after a call of other sizes");
                }
        });
    }

    /// Each matrix in turn where its rows begin beyond elements 2^31 and 2^32; and each that has `vocabulary`
    /// rows with more rows than 2^24, or 2^32 / C, of them.
    void far(const std::string& vocabulary = {}, Visits visits = Visits::every_row) {
        run([&](auto& call) {
            Situation wide = with({});
            for (const ExtentDomain& extent : extents_)
                wide.extents.set(extent.name,
                                 std::min(extent.largest, std::max<std::size_t>(extent.ordinary, 9)));
            call(wide); // the largest ordinary call comes before far memory is made
            const FarMemory memory = far_memory(wide);
            for_matrices([&]<std::size_t I>() {
                call_far<I>(wide, far_stride, first_rows(std::get<I>(parameters_).row_count(wide.extents)),
                            memory, call);
            });
            if (vocabulary.empty()) return;
            constexpr std::size_t many = (std::size_t{1} << 24) + 3, apart = 257;
            wide.extents.set(vocabulary, many);
            call_tall(wide, many, wide.extents["C"], memory, call);
            call_tall(wide, many, apart, memory, call); // the last rows lie beyond element 2^32
            if (visits == Visits::every_row) return;
            for (const std::size_t rows : {(std::size_t{1} << 31) + 5, (std::size_t{1} << 32) + 5}) {
                Situation tall = with({{"C", 1}});
                tall.extents.set(vocabulary, rows);
                tall.words.insert(vocabulary + " is above 2^31");
                call_tall(tall, rows, 1, memory, call);
            }
        });
    }

  private:
    template <std::size_t... I>
    using Indices = std::index_sequence<I...>;
    static constexpr std::size_t count = sizeof...(Arguments);
    using Operands = std::tuple<std::unique_ptr<Operand<subject::driver_t<Arguments>>>...>;

    /// Calls and remembers which failed; reports the first failure.
    class Caller {
      public:
        Caller(const Adverse& function, Random random) : function_(function), random_(random) {}

        void operator()(const Situation& situation, const std::string& when = {}) {
            if (is_settled()) return;
            Operands operands = function_.make(situation, random_);
            (*this)(situation, operands, when);
        }
        void operator()(const Situation& situation, Operands& operands, const std::string& when) {
            attempt(situation, operands, when,
                    [&](const CallFacts& facts) { function_.check(operands, facts); });
        }
        /// A call that has to do the same, bit for bit, as the submission did in `first`.
        void equal(const Situation& situation, Operands& operands, const Operands& first,
                   const std::string& when) {
            attempt(situation, operands, when,
                    [&](const CallFacts& facts) { function_.check_equal(operands, first, facts); });
        }
        Random& random() { return random_; }

        void conclude() {
            for (Finding& finding : first_)
                Recorder::current().add(std::move(finding));
            Recorder::current().add_calls(function_.name_, std::move(facts_));
        }

      private:
        template <class Check>
        void attempt(const Situation& situation, const Operands& operands, const std::string& when,
                     Check&& check) {
            if (is_settled()) return;
            Recorder& recorder = Recorder::current();
            CallFacts facts{situation.extents, situation.words, recorder.calls_of_case() + 1};
            facts.properties = situation.properties;
            facts.refused = situation.refused;
            if (!when.empty()) facts.circumstances.insert("it comes " + when);
            function_.describe(operands, facts);
            recorder.begin_trial();
            std::vector<Finding> findings;
            try {
                check(facts);
                findings = recorder.end_trial();
            } catch (...) {
                for (Finding& finding : recorder.end_trial())
                    recorder.add(std::move(finding));
                throw;
            }
            for (const auto& [parameter, adversity] : situation.reaches)
                recorder.coverage().reach(function_.name_, parameter, adversity);
            facts.failed = !findings.empty();
            facts_.push_back(std::move(facts));
            if (first_.empty()) first_ = std::move(findings);
        }
        /// A call has failed, and only that is of interest.
        bool is_settled() const { return Recorder::current().brief() && !first_.empty(); }

        const Adverse& function_;
        Random random_;
        std::vector<CallFacts> facts_;
        std::vector<Finding> first_;
    };

    template <class Body>
    void run(Body&& body) {
        declare();
        Caller caller(*this, constructed());
        body(caller);
        caller.conclude();
    }

    Situation with(const std::vector<std::pair<std::string, std::size_t>>& changed) const {
        Situation situation{{}, {}, std::vector<Shaping>(count), {}};
        for (const ExtentDomain& extent : extents_)
            situation.extents.set(extent.name, extent.ordinary);
        for (const auto& [name, value] : changed) {
            situation.extents.set(name, value);
            if (value == 0) situation.words.insert(name + " = 0");
            situation.reaches.insert({name, value == 0 ? Adversity::empty : Adversity::sizes});
        }
        if (changed.size() == 2)
            situation.reaches.insert({changed[0].first + " x " + changed[1].first, Adversity::paired});
        return situation;
    }
    static bool is_unlimited(const ExtentDomain& extent) { return extent.largest >= 4097; }
    Situation mostly_small(const ExtentDomain& large_one, std::size_t size) const {
        Situation situation = with({{large_one.name, size}});
        for (const ExtentDomain& extent : extents_)
            if (extent.name != large_one.name)
                situation.extents.set(extent.name,
                                      std::max(extent.least, std::min<std::size_t>(extent.ordinary, 2)));
        return situation;
    }
    Situation with_all(std::size_t size) const {
        std::vector<std::pair<std::string, std::size_t>> changed;
        for (const ExtentDomain& extent : extents_)
            changed.emplace_back(extent.name, std::max(extent.least, size));
        return with(changed);
    }

    static Situation with_null_views(Situation situation) {
        for (Shaping& shaping : situation.shapings)
            shaping.null = true;
        situation.words.insert("empty views have null pointers");
        situation.reaches.insert({"", Adversity::null});
        return situation;
    }

    /// What can be adverse about this function, for the record.
    void declare() const {
        Coverage& coverage = Recorder::current().coverage();
        const auto domain = [&](const std::string& parameter, Adversity adversity) {
            const auto reason = left_out_.find({parameter, adversity});
            if (reason == left_out_.end())
                coverage.declare(name_, parameter, adversity);
            else
                coverage.leave_out(name_, parameter, adversity, reason->second);
        };
        bool any_empty = false;
        for (const ExtentDomain& extent : extents_) {
            domain(extent.name, Adversity::sizes);
            if (extent.least > 0) continue;
            domain(extent.name, Adversity::empty);
            any_empty = true;
        }
        for_pairs([&](const ExtentDomain& a, const ExtentDomain& b) {
            domain(a.name + " x " + b.name, Adversity::paired);
        });
        int refusing = 0, special = 0;
        const auto add = [&](const auto& parameter) {
            if (parameter.has_gaps) domain(parameter.name, Adversity::gaps);
            if (parameter.in_place) domain(parameter.name, Adversity::repeated);
            if (parameter.make_far) domain(parameter.name, Adversity::far);
            if (!parameter.specials) return;
            bool refuses = false, accepts = false;
            for (const Special& each : parameter.specials(with({}).extents)) {
                domain(parameter.name, each.refused ? Adversity::refused : Adversity::special);
                (each.refused ? refuses : accepts) = true;
            }
            refusing += refuses ? 1 : 0;
            special += accepts ? 1 : 0;
        };
        std::apply([&](const auto&... each) { (add(each), ...); }, parameters_);
        if (special > 1) domain("", Adversity::two_specials);
        if (refusing > 1) domain("", Adversity::two_refusals);
        domain("", Adversity::moved);
        if (any_empty) domain("", Adversity::null);
        if (refusing > 0 && any_empty) domain("", Adversity::empty_and_refused);
    }
    bool leaves_out(const std::string& parameter, Adversity adversity) const {
        return left_out_.contains({parameter, adversity});
    }
    template <class P>
    bool has_gaps(const P& parameter) const {
        return parameter.has_gaps && !leaves_out(parameter.name, Adversity::gaps);
    }

    /// `scale` 0: ordinary sizes; 1: one row; 2: rows wider than a cache line.
    template <class Gap>
    Situation with_gaps(const std::vector<std::size_t>& which, Gap&& gap, std::size_t scale) const {
        Situation situation = with({});
        for (const ExtentDomain& extent : extents_) {
            if (scale == 1) situation.extents.set(extent.name, std::max<std::size_t>(extent.least, 1));
            if (scale == 2) situation.extents.set(extent.name, std::min<std::size_t>(extent.largest, 19));
        }
        bool equal = true;
        for (std::size_t i = 0; i < which.size(); ++i) {
            situation.shapings[which[i]].gap = gap(i);
            situation.words.insert("the rows of `" + names()[which[i]] + "` lie apart");
            situation.reaches.insert({names()[which[i]], Adversity::gaps});
            equal = equal && gap(i) == gap(0);
        }
        if (equal && which.size() > 1)
            situation.properties.insert("the rows of all arguments lie equally far apart");
        return situation;
    }

    template <class Body>
    void for_pairs(Body&& body) const {
        for (std::size_t a = 0; a < extents_.size(); ++a)
            for (std::size_t b = a + 1; b < extents_.size(); ++b)
                body(extents_[a], extents_[b]);
    }

    static constexpr std::size_t far_elements = (std::size_t{1} << 32) + 4096;

    /// As much as the tallest matrix takes where its rows lie far apart.
    FarMemory far_memory(const Situation& wide) const {
        std::size_t rows = 0;
        for_matrices([&]<std::size_t I>() {
            rows = std::max(rows, std::get<I>(parameters_).row_count(wide.extents));
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
        [&]<std::size_t... I>(Indices<I...>) {
            (
                [&] {
                    const auto& parameter = std::get<I>(parameters_);
                    if (parameter.make_far && !leaves_out(parameter.name, Adversity::far))
                        body.template operator()<I>();
                }(),
                ...);
        }
        (std::make_index_sequence<count>{});
    }

    /// Each matrix in turn that has so many rows; ids choose among few of them.
    template <class Call>
    void call_tall(Situation tall, std::size_t rows, std::size_t stride, FarMemory memory, Call& call) const {
        const std::vector<std::size_t> used = far_rows(rows, stride);
        for (Shaping& shaping : tall.shapings)
            shaping.rows = used;
        for_matrices([&]<std::size_t I>() {
            const auto& parameter = std::get<I>(parameters_);
            if (parameter.row_count && parameter.row_count(tall.extents) == rows)
                call_far<I>(tall, std::max(stride, parameter.width(tall.extents)), used, memory, call);
        });
    }

    template <std::size_t I, class Call>
    void call_far(Situation situation, std::size_t stride, const std::vector<std::size_t>& rows,
                  FarMemory memory, Call& call) const {
        const auto& parameter = std::get<I>(parameters_);
        situation.words.insert("`" + parameter.name + "` reaches beyond element 2^31");
        situation.reaches.insert({parameter.name, Adversity::far});
        Operands operands = [&]<std::size_t... K>(Indices<K...>) {
            return Operands{[&] {
                if constexpr (K == I)
                    return parameter.make_far(situation.extents, stride, rows, memory, call.random());
                else
                    return std::get<K>(parameters_)
                        .make(situation.extents, situation.shapings[K], call.random());
            }()...};
        }
        (std::make_index_sequence<count>{});
        call(situation, operands, "");
    }

    template <class Test>
    std::vector<std::size_t> parameters_with(Test&& test) const {
        std::vector<std::size_t> list;
        std::size_t k = 0;
        std::apply([&](const auto&... each) { ((test(each) ? list.push_back(k++) : void(++k)), ...); },
                   parameters_);
        return list;
    }

    std::vector<std::string> names() const {
        return std::apply([](const auto&... each) { return std::vector<std::string>{each.name...}; },
                          parameters_);
    }

    /// The situation with each special case of each argument, those that are refused or those that are not.
    std::vector<Situation> specials_of(const Situation& base, bool refused) const {
        std::vector<Situation> list;
        std::size_t k = 0;
        const auto add = [&](const auto& parameter) {
            if (parameter.specials) {
                const std::vector<Special> specials = parameter.specials(base.extents);
                for (std::size_t i = 0; i < specials.size(); ++i) {
                    if (specials[i].refused != refused) continue;
                    Situation situation = base;
                    situation.shapings[k].special = i;
                    situation.words.insert(specials[i].words);
                    situation.refused = refused;
                    if (refused) situation.properties.insert("`" + parameter.name + "` has to be refused");
                    if (refused && has_empty_axis(base))
                        situation.reaches.insert({"", Adversity::empty_and_refused});
                    situation.reaches.insert(
                        {parameter.name, refused ? Adversity::refused : Adversity::special});
                    list.push_back(std::move(situation));
                }
            }
            ++k;
        };
        std::apply([&](const auto&... each) { (add(each), ...); }, parameters_);
        return list;
    }

    static bool has_empty_axis(const Situation& situation) {
        return std::ranges::any_of(situation.extents.values(),
                                   [](const auto& extent) { return extent.second == 0; });
    }

    template <class Call>
    void for_specials(const Situation& base, bool refused, Call& call) const {
        for (const Situation& situation : specials_of(base, refused))
            call(situation);
    }

    /// Every two of these situations that are about different arguments.
    template <class Call>
    void for_two(const std::vector<Situation>& all, Adversity adversity, Call& call) const {
        if (leaves_out("", adversity)) return;
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = a + 1; b < all.size(); ++b)
                if (auto both = merged(all[a], all[b])) {
                    both->reaches.insert({"", adversity});
                    call(*both);
                }
    }

    /// Nothing where both are about the same argument.
    static std::optional<Situation> merged(const Situation& a, const Situation& b) {
        Situation both = a;
        both.words.insert(b.words.begin(), b.words.end());
        both.properties.insert(b.properties.begin(), b.properties.end());
        for (std::size_t k = 0; k < count; ++k) {
            if (!b.shapings[k].special) continue;
            if (both.shapings[k].special) return std::nullopt;
            both.shapings[k] = b.shapings[k];
        }
        return both;
    }

    template <class Call>
    void repeat_in_place(const Situation& base, Call& call) const {
        Operands a = make(base, call.random());
        Operands b = make(base, call.random());
        Operands running = copy(a);
        const auto reset = [&] { assign_all(running, a); };
        call(base, running, "");
        reset();
        call(base, running, "again, with nothing changed");
        [&]<std::size_t... I>(Indices<I...>) {
            (
                [&] {
                    const auto& parameter = std::get<I>(parameters_);
                    if (!parameter.in_place || leaves_out(parameter.name, Adversity::repeated)) return;
                    reset();
                    std::get<I>(running)->assign(*std::get<I>(b));
                    Situation changed = base;
                    changed.reaches.insert({parameter.name, Adversity::repeated});
                    call(changed, running, "after one that was equal but for `" + parameter.name + "`");
                    reset();
                    call(base, running, "after the same and then another one");
                }(),
                ...);
        }
        (std::make_index_sequence<count>{});
    }

    /// Each special value of an argument right after each other one, with all else equal: what is remembered
    /// of an option has to be remembered with every part of it.
    template <class Call>
    void repeat_values(const Situation& base, Call& call) const {
        constexpr std::size_t max_values = 12;
        std::vector<std::size_t> values = parameters_with([](const auto& each) { return each.is_value; });
        for (const std::size_t k : values) {
            std::vector<Situation> list = specials_of(base, false);
            std::erase_if(list, [&](const Situation& each) { return !each.shapings[k].special; });
            if (list.size() > max_values) list.resize(max_values);
            for (std::size_t a = 0; a < list.size(); ++a)
                for (std::size_t b = a + 1; b < list.size(); ++b) {
                    call(list[a], "after one with another `" + names()[k] + "`");
                    call(list[b], "after one with another `" + names()[k] + "`");
                }
        }
    }

    /// Numbers whose sum depends on the order, at addresses that differ by less than a cache line.
    template <class Call>
    void repeat_elsewhere(Call& call) const {
        Situation rough = with({});
        for (const ExtentDomain& extent : extents_)
            rough.extents.set(extent.name, std::min<std::size_t>(extent.largest, 37));
        for (Shaping& shaping : rough.shapings)
            shaping.rough = true;
        const Operands untouched = make(rough, call.random());
        Operands first = copy(untouched);
        apply(subject_, first);
        rough.reaches.insert({"", Adversity::moved});
        for (const std::size_t by : {0, 1, 2, 3, 7}) {
            Operands moved = copy(untouched);
            std::apply([&](auto&... each) { (each->move_by(by), ...); }, moved);
            call.equal(rough, moved, first,
                       by == 0 ? "after an equal one" : "after an equal one, its views elsewhere");
        }
    }

    Operands make(const Situation& situation, Random& random) const {
        return [&]<std::size_t... I>(Indices<I...>) {
            return Operands{
                std::get<I>(parameters_).make(situation.extents, situation.shapings[I], random)...};
        }
        (std::make_index_sequence<count>{});
    }
    static Operands copy(const Operands& operands) {
        return std::apply([](const auto&... each) { return Operands{each->copy()...}; }, operands);
    }
    static void assign_all(Operands& to, const Operands& from) {
        [&]<std::size_t... I>(Indices<I...>) {
            (std::get<I>(to)->assign(*std::get<I>(from)), ...);
        }
        (std::make_index_sequence<count>{});
    }

    template <class Callee>
    static auto apply(Callee&& callee, Operands& operands) {
        return std::apply([&](auto&... each) { return callee(each->argument()...); }, operands);
    }

    /// Makes the call and compares everything with what the reference makes of the same arguments.
    void check(Operands& operands, const CallFacts& facts) const {
        const ContextScope scope(print(operands, facts));
        Operands wanted = copy(operands);
        const std::map<std::string, Rule> rules = rules_for(wanted);
        if constexpr (std::is_void_v<Result>) {
            apply(subject_, operands);
            apply(reference_, wanted);
        } else {
            const Result got = apply(subject_, operands);
            const Result want = apply(reference_, wanted);
            if (expect_result_)
                expect_result_(got, want);
            else if constexpr (std::is_same_v<Result, contract::Status>)
                expect_status(got, want);
            else if constexpr (std::is_arithmetic_v<Result>)
                expect_equal("the result", got, want);
            else
                expect_true("the result is that of the reference", got == want);
        }
        [&]<std::size_t... I>(Indices<I...>) {
            (std::get<I>(operands)->expect(std::get<I>(parameters_).name, *std::get<I>(wanted),
                                           rules.at(std::get<I>(parameters_).name)),
             ...);
        }
        (std::make_index_sequence<count>{});
    }

    /// Makes the call and compares what it leaves with what an earlier one left.
    void check_equal(Operands& operands, const Operands& first, const CallFacts& facts) const {
        const ContextScope scope(print(operands, facts));
        apply(subject_, operands);
        [&]<std::size_t... I>(Indices<I...>) {
            (std::get<I>(operands)->expect(std::get<I>(parameters_).name, *std::get<I>(first), Rule{}), ...);
        }
        (std::make_index_sequence<count>{});
    }

    std::map<std::string, Rule> rules_for(Operands& operands) const {
        std::map<std::string, Rule> rules;
        for (const std::string& name : names()) {
            const auto found = rules_.find(name);
            rules[name] = found == rules_.end() ? Rule{} : found->second;
            if (const auto bounds = bounds_.find(name); bounds != bounds_.end())
                rules[name].bounds = apply(bounds->second, operands);
            if (const auto exact = exact_.find(name); exact != exact_.end())
                rules[name].exact = apply(exact->second, operands);
        }
        return rules;
    }

    void describe(const Operands& operands, CallFacts& facts) const {
        [&]<std::size_t... I>(Indices<I...>) {
            (std::get<I>(operands)->describe(std::get<I>(parameters_).name, facts), ...);
        }
        (std::make_index_sequence<count>{});
    }

    /// "lookup(table: 6 x 3, ids: 4, out: 4 x 3), where the first id is -1"
    std::string print(Operands& operands, const CallFacts& facts) const {
        std::string text;
        [&]<std::size_t... I>(Indices<I...>) {
            ((text +=
              (I == 0 ? "" : ", ") + std::get<I>(parameters_).name + ": " + std::get<I>(operands)->print()),
             ...);
        }
        (std::make_index_sequence<count>{});
        text = name_ + "(" + text + ")";
        const char* link = ", where ";
        for (const std::string& words : facts.circumstances)
            text += std::exchange(link, " and ") + words;
        return text;
    }

    std::string name_;
    Subject subject_;
    Reference reference_;
    std::vector<ExtentDomain> extents_;
    std::tuple<Parameter<subject::driver_t<Arguments>>...> parameters_;
    std::map<std::string, Rule> rules_;
    std::map<std::string, Bounds> bounds_;
    std::map<std::string, Exact> exact_;
    std::vector<Extents> more_;
    std::map<std::pair<std::string, Adversity>, std::string> left_out_; ///< and why
    std::function<void(const Answer&, const Answer&)> expect_result_;
};

template <class Subject, class Result, class... Arguments, class... Parameters>
Adverse(std::string, const Subject&, Result (*)(Arguments...), std::vector<ExtentDomain>, Parameters...)
    -> Adverse<Result(Arguments...)>;

} // namespace harness
