#pragma once

#include "common/status.h"
#include "harness/adversity/operands.h"
#include "harness/adversity/rule.h"
#include "harness/context.h"
#include "harness/recorder.h"
#include "harness/suite.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace harness {

/// How the result and the outputs of one function are compared with what the reference makes of the same
/// arguments.
template <class Result, class... Arguments>
class Agreement {
  public:
    using Answer = std::conditional_t<std::is_void_v<Result>, int, Result>;
    using Bounds = std::function<std::vector<double>(const Arguments&...)>;
    using Exact = std::function<std::function<bool(std::size_t)>(const Arguments&...)>;
    using ExpectResult = std::function<void(const Answer&, const Answer&)>;
    using Call = Operands<Arguments...>;

    /// What a call left behind.
    struct Left {
        Call operands;
        Answer result{};
    };

    void rule(const std::string& parameter, Rule rule) { rules_[parameter] = std::move(rule); }
    void bounds(const std::string& parameter, Bounds bounds) {
        rules_[parameter].kind = Rule::Kind::within;
        bounds_[parameter] = std::move(bounds);
    }
    void exact(const std::string& parameter, Exact exact) { exact_[parameter] = std::move(exact); }
    void unordered(const std::string& parameter) { unordered_.insert(parameter); }
    void result(ExpectResult expect) { expect_result_ = std::move(expect); }

    template <class Callee>
    static Answer answer_of(Callee&& callee, Call& operands) {
        if constexpr (std::is_void_v<Result>) {
            operands.call(callee);
            return 0;
        } else {
            return operands.call(callee);
        }
    }

    /// Makes the call and compares everything with what the reference makes of the same arguments. Adds to
    /// `facts` whether the call has to be refused.
    template <class Subject, class Reference>
    void with_reference(const Subject& subject, const Reference& reference, Call& operands,
                        const std::vector<std::string>& names, CallFacts& facts) const {
        Left wanted{operands.copy()};
        const std::map<std::string, Rule> rules = rules_for(wanted.operands, names);
        const Answer got = answer_of(subject, operands);
        wanted.result = answer_of(reference, wanted.operands);
        if constexpr (std::is_same_v<Result, contract::Status>) {
            facts.refused = wanted.result.code != contract::Code::ok;
            if (facts.refused)
                facts.properties.insert("the right answer is `" +
                                        std::string(subject::enumerator(wanted.result.code)) + "`");
        }
        if constexpr (!std::is_void_v<Result>) expect_result(got, wanted.result);
        if (facts.refused) Recorder::current().mean("a call that has to be refused writes to an output");
        expect_outputs(operands, wanted.operands, names, [&](const auto& name) { return rules.at(name); });
    }

    /// Makes the call and compares what it leaves with what an earlier one left, bit for bit, apart from
    /// outputs whose sums are made in any order.
    template <class Subject>
    void with_earlier(const Subject& subject, const Left& earlier, Call& operands,
                      const std::vector<std::string>& names) const {
        const Answer got = answer_of(subject, operands);
        if constexpr (!std::is_void_v<Result>) expect_result(got, earlier.result);
        expect_outputs(operands, earlier.operands, names, [this](const std::string& name) {
            return Rule{.kind = unordered_.contains(name) ? Rule::Kind::free : Rule::Kind::bits};
        });
    }

  private:
    void expect_result(const Answer& got, const Answer& want) const {
        if (expect_result_)
            expect_result_(got, want);
        else if constexpr (std::is_same_v<Result, contract::Status>)
            expect_status(got, want);
        else if constexpr (std::is_arithmetic_v<Result>)
            expect_equal("the result", got, want);
        else
            expect_true("the result is that of the reference", got == want);
    }

    template <class RuleOf>
    static void expect_outputs(const Call& got, const Call& want, const std::vector<std::string>& names,
                               RuleOf&& rule_of) {
        Parameters<Arguments...>::for_each_number([&]<std::size_t I>() {
            got.template get<I>().expect(names[I], want.template get<I>(), rule_of(names[I]));
        });
    }

    std::map<std::string, Rule> rules_for(Call& operands, const std::vector<std::string>& names) const {
        std::map<std::string, Rule> rules;
        std::set<std::string> empty; // and perhaps of a size that no loop comes to the end of
        Parameters<Arguments...>::for_each_number([&]<std::size_t I>() {
            if (!operands.template get<I>().has_elements()) empty.insert(names[I]);
        });
        for (const std::string& name : names) {
            const auto found = rules_.find(name);
            rules[name] = found == rules_.end() ? Rule{} : found->second;
            if (empty.contains(name)) continue;
            if (const auto bounds = bounds_.find(name); bounds != bounds_.end())
                rules[name].bounds = operands.call(bounds->second);
            if (const auto exact = exact_.find(name); exact != exact_.end())
                rules[name].exact = operands.call(exact->second);
        }
        return rules;
    }

    std::map<std::string, Rule> rules_;
    std::map<std::string, Bounds> bounds_;
    std::map<std::string, Exact> exact_;
    std::set<std::string> unordered_;
    ExpectResult expect_result_;
};

} // namespace harness
