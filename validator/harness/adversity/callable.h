#pragma once

#include "common/device.h"
#include "harness/adversity/agreement.h"
#include "harness/adversity/caller.h"
#include "harness/adversity/operands.h"
#include "harness/context.h"
#include "subject/codec.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// A function of a contract that can be called: the submission's and the reference's, what is known of the
/// parameters, and how what the two leave is compared.
template <class Function>
class Callable;

template <class Result, class... Arguments>
class Callable<Result(Arguments...)> {
  public:
    using Subject = std::function<subject::driver_t<Result>(const subject::driver_t<Arguments>&...)>;
    using Reference = Result (*)(Arguments...);
    using Compared = Agreement<Result, subject::driver_t<Arguments>...>;
    using Known = Parameters<subject::driver_t<Arguments>...>;
    using Call = Operands<subject::driver_t<Arguments>...>;

    static constexpr bool launches = (std::is_same_v<Arguments, contract::Stream> || ...);

    std::string name;
    Subject subject;
    Reference reference = nullptr;
    Known parameters;
    Compared agreement{};

    Call make(const Situation& situation, Random& random) const {
        return Call::from([&]<std::size_t I>() {
            return parameters.template get<I>().make(situation.extents, situation.shapings[I], random);
        });
    }

    /// The situation with each special case of each argument, those that are refused or those that are not;
    /// of the parameters that `test` chooses.
    template <class Test>
    std::vector<Situation> specials_of(const Situation& base, bool refused, Test&& test) const {
        std::vector<Situation> list;
        std::size_t k = 0;
        parameters.for_each([&](const auto& parameter) {
            const std::size_t number = k++;
            if (!parameter.specials || !test(parameter)) return;
            const std::vector<Special> specials = parameter.specials(base.extents);
            for (std::size_t i = 0; i < specials.size(); ++i) {
                if (specials[i].refused != refused) continue;
                Situation situation = base;
                situation.shapings[number].special = i;
                situation.words.insert(specials[i].words);
                situation.refused = refused;
                if (refused) situation.properties.insert("`" + parameter.name + "` has to be refused");
                if (refused && base.has_empty_axis())
                    situation.reaches.insert({"", Adversity::empty_and_refused});
                situation.reaches.insert({parameter.name, refused ? Adversity::refused : Adversity::special});
                list.push_back(std::move(situation));
            }
        });
        return list;
    }
    std::vector<Situation> specials_of(const Situation& base, bool refused) const {
        return specials_of(base, refused, [](const auto&) { return true; });
    }

    /// "lookup(table: 6 x 3, ids: 4, out: 4 x 3), where the first id is -1"
    std::string print(const Call& operands, const CallFacts& facts) const {
        std::string text = name + "(" + operands.print(parameters.names()) + ")";
        const char* link = ", where ";
        for (const std::string& words : facts.circumstances)
            text += std::exchange(link, " and ") + words;
        return text;
    }
};

/// The calls of one function in one test.
template <class Function>
class FunctionCalls {
  public:
    using Called = Callable<Function>;
    using Call = typename Called::Call;

    FunctionCalls(const Called& function, Caller& caller) : function_(function), caller_(caller) {}

    /// A call that is compared with the reference's; `when` says after what it comes.
    void operator()(const Situation& situation, const std::string& when = {}) {
        if (caller_.is_settled()) return;
        Call operands = function_.make(situation, random());
        (*this)(situation, operands, when);
    }
    void operator()(const Situation& situation, Call& operands, const std::string& when) {
        attempt(situation, operands, when, [&](CallFacts& facts) {
            function_.agreement.with_reference(function_.subject, function_.reference, operands,
                                               function_.parameters.names(), facts);
        });
    }
    void all(const std::vector<Situation>& situations) {
        for (const Situation& situation : situations)
            (*this)(situation);
    }
    /// Of combined circumstances every call, or every seventh where a call launches kernels: an emulated one
    /// takes a hundred times as long as another.
    void some(const std::vector<Situation>& situations) {
        for (const Situation& situation : situations)
            if (!launches || combined_++ % 7 == 0) (*this)(situation);
    }
    /// A call that has to do the same, bit for bit, as the submission did in an earlier one.
    void equal(const Situation& situation, Call& operands, const typename Called::Compared::Left& earlier,
               const std::string& when) {
        attempt(situation, operands, when, [&](CallFacts&) {
            function_.agreement.with_earlier(function_.subject, earlier, operands,
                                             function_.parameters.names());
        });
    }
    Random& random() { return caller_.random(); }

  private:
    template <class Check>
    void attempt(const Situation& situation, const Call& operands, const std::string& when, Check&& check) {
        if (caller_.is_settled()) return;
        CallFacts facts = caller_.facts_of(situation, when);
        const std::vector<std::string> names = function_.parameters.names();
        Called::Known::for_each_number(
            [&]<std::size_t I>() { operands.template get<I>().describe(names[I], facts); });
        const std::string words = function_.print(operands, facts);
        caller_.attempt(situation, std::move(facts), [&](CallFacts& known) {
            const ContextScope scope(words);
            check(known);
        });
    }

    static constexpr bool launches = Called::launches;

    const Called& function_;
    Caller& caller_;
    std::size_t combined_ = 0;
};

} // namespace harness
