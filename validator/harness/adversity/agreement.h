#pragma once

#include "harness/adversity/operands.h"
#include "harness/adversity/rule.h"

#include <any>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace harness {

/// What a function returned; empty where it returns nothing.
using Answer = std::any;
/// A function of a contract, or of a suite, that takes the arguments as they are.
template <class Result>
using OfOperands = std::function<Result(Operands&)>;

/// How the result and the outputs of one function are compared with what the reference makes of the same
/// arguments.
class Agreement {
  public:
    using Callee = OfOperands<Answer>;
    using Bounds = OfOperands<std::vector<double>>;
    using Exact = OfOperands<std::function<bool(std::size_t)>>;
    using ExpectResult = std::function<void(const Answer&, const Answer&)>;
    /// Which refusal a result is, as an enumerator; nothing where it is none.
    using RefusalOf = std::function<std::optional<std::string>(const Answer&)>;

    /// How large a result is, as far as that may explain why it is wrong.
    struct ResultNumber {
        std::string name; ///< "the right result"; empty where it is no number
        std::function<double(const Answer&)> of;
    };

    /// What a call left behind.
    struct Left {
        Operands operands;
        Answer result{};
    };

    /// `refusal_of` may be null: the result cannot refuse a call.
    Agreement(ExpectResult expect_result, RefusalOf refusal_of, ResultNumber result_number)
        : expect_result_(expect_result), expect_equal_(std::move(expect_result)),
          refusal_of_(std::move(refusal_of)), result_number_(std::move(result_number)) {}

    void rule(const std::string& parameter, Rule rule) { rules_[parameter] = std::move(rule); }
    void bounds(const std::string& parameter, Bounds bounds) {
        rules_[parameter].kind = Rule::Kind::within;
        bounds_[parameter] = std::move(bounds);
    }
    void exact(const std::string& parameter, Exact exact) { exact_[parameter] = std::move(exact); }
    void unordered(const std::string& parameter) { unordered_.insert(parameter); }
    /// Whether outputs have one right result each, so that even numbers below the normal ones have.
    bool is_exact() const;
    void result(ExpectResult expect) { expect_result_ = std::move(expect); }
    void result_number(ResultNumber number) { result_number_ = std::move(number); }

    /// Whether the result is a refusal.
    bool refuses(const Answer& result) const { return refusal_of_ && refusal_of_(result); }

    /// Makes the call and compares everything with what the reference makes of the same arguments. Adds to
    /// `facts` whether the call has to be refused, how large the right result is, and which outputs are
    /// right.
    void with_reference(const Callee& subject, const Callee& reference, Operands& operands,
                        const std::vector<std::string>& names, CallFacts& facts) const;
    /// Makes the call and compares what it leaves with what an earlier one left, bit for bit, apart from
    /// outputs whose sums are made in any order.
    void with_earlier(const Callee& subject, const Left& earlier, Operands& operands,
                      const std::vector<std::string>& names) const;

  private:
    std::map<std::string, Rule> rules_for(Operands& operands, const std::vector<std::string>& names) const;

    std::map<std::string, Rule> rules_;
    std::map<std::string, Bounds> bounds_;
    std::map<std::string, Exact> exact_;
    std::set<std::string> unordered_;
    ExpectResult expect_result_;
    ExpectResult expect_equal_; ///< of equal calls, whatever may be off from the reference
    RefusalOf refusal_of_;
    ResultNumber result_number_;
};

} // namespace harness
