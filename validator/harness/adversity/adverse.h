#pragma once

#include "common/device.h"
#include "common/status.h"
#include "harness/adversity/adverse_function.h"
#include "harness/adversity/ids.h"
#include "harness/adversity/parameters.h"
#include "harness/suite.h"
#include "subject/codec.h"
#include "subject/proxy.h"

#include <type_traits>

namespace harness {

/// An AdverseFunction of the types that the contract gives it, and how what it leaves is compared.
template <class Function>
class Adverse;

template <class Result, class... Arguments>
class Adverse<Result(Arguments...)> : public AdverseFunction {
  public:
    using Returned = std::conditional_t<std::is_void_v<Result>, int, Result>;
    using Subject = std::function<subject::driver_t<Result>(const subject::driver_t<Arguments>&...)>;
    using Reference = Result (*)(Arguments...);
    template <class T>
    using OfArguments = std::function<T(const subject::driver_t<Arguments>&...)>;

    Adverse(std::string name, Subject subject, Reference reference, std::vector<ExtentDomain> extents,
            Parameter<subject::driver_t<Arguments>>... parameters)
        : AdverseFunction({std::move(name),
                           is_one_call(subject),
                           answering(std::move(subject)),
                           answering(reference),
                           {std::move(parameters)...},
                           {expecting(expect_as_usual), refusal(), number()},
                           (std::is_same_v<Arguments, contract::Stream> || ...)},
                          std::move(extents)) {}

    /// How output `parameter` is compared; bit for bit where nothing else is said.
    Adverse& rule(const std::string& parameter, Rule rule) {
        agreement().rule(parameter, std::move(rule));
        return *this;
    }
    /// Bounds of output `parameter`, an element each, from the arguments before the call.
    Adverse& bounds(const std::string& parameter, OfArguments<std::vector<double>> bounds) {
        agreement().bounds(parameter, of_operands(std::move(bounds)));
        return *this;
    }
    /// Which elements of output `parameter`, by their number in reading order, keep or get every bit,
    /// whatever the rule is for the others.
    Adverse& exact(const std::string& parameter, OfArguments<std::function<bool(std::size_t)>> exact) {
        agreement().exact(parameter, of_operands(std::move(exact)));
        return *this;
    }
    /// The contract lets equal calls differ in output `parameter`.
    Adverse& unordered(const std::string& parameter) {
        agreement().unordered(parameter);
        return *this;
    }
    /// How results that are numbers or structs are compared with the reference's; equal where nothing else
    /// is said. Those of equal calls are equal all the same.
    Adverse& result(std::function<void(const Returned&, const Returned&)> expect) {
        agreement().result(expecting(std::move(expect)));
        return *this;
    }
    /// A number of the result, which is a struct, that may explain why it is wrong: "the right `bytes`".
    Adverse& result_number(std::string name, std::function<double(const Returned&)> of) {
        agreement().result_number({std::move(name), [of = std::move(of)](const Answer& answer) {
                                       return of(std::any_cast<const Returned&>(answer));
                                   }});
        return *this;
    }
    /// Products of one of the first and one of the second are added to what others hold. Where all numbers
    /// are tiny or huge, each of the two has half the power of two, so that sums that are exact stay exact.
    Adverse& multiplied(std::set<std::string> first, std::set<std::string> second) {
        share_powers(std::move(first), std::move(second));
        return *this;
    }
    /// Sizes that the contract promises, or that programs are known to break at.
    Adverse& also(std::initializer_list<Extents> more) {
        add_sizes(more);
        return *this;
    }
    /// What is called belongs to the suite, but makes one call of the submission and no other, so that the
    /// worker can make it again by itself.
    Adverse& one_call() {
        note_one_call();
        return *this;
    }
    /// Leaves out what `parameter` (or extent) cannot be in, or what would prove nothing.
    Adverse& without(Adversity adversity, const std::string& parameter, const std::string& reason) {
        leave_out(adversity, parameter, reason);
        return *this;
    }

  private:
    static bool is_one_call(const Subject& function) {
        return function.template target<subject::Proxy<Result(Arguments...)>>() != nullptr;
    }
    template <class T>
    static OfOperands<T> of_operands(OfArguments<T> function) {
        return [function = std::move(function)](Operands& operands) {
            return operands.call<subject::driver_t<Arguments>...>(function);
        };
    }
    template <class Callee>
    static Agreement::Callee answering(Callee callee) {
        return [callee = std::move(callee)](Operands& operands) -> Answer {
            if constexpr (std::is_void_v<Result>) {
                operands.call<subject::driver_t<Arguments>...>(callee);
                return {};
            } else {
                return Returned(operands.call<subject::driver_t<Arguments>...>(callee));
            }
        };
    }
    template <class Expect>
    static Agreement::ExpectResult expecting(Expect expect) {
        return [expect = std::move(expect)](const Answer& got, const Answer& want) {
            if constexpr (!std::is_void_v<Result>)
                expect(std::any_cast<const Returned&>(got), std::any_cast<const Returned&>(want));
        };
    }
    static void expect_as_usual(const Returned& got, const Returned& want) {
        if constexpr (std::is_same_v<Result, contract::Status>)
            expect_status(got, want);
        else if constexpr (std::is_arithmetic_v<Result>)
            expect_equal("the result", got, want);
        else
            expect_true("the result is the expected one", got == want, "the result is wrong");
    }
    static Agreement::RefusalOf refusal() {
        if constexpr (!std::is_same_v<Result, contract::Status>)
            return {};
        else
            return [](const Answer& answer) -> std::optional<std::string> {
                const contract::Code code = std::any_cast<const contract::Status&>(answer).code;
                if (code == contract::Code::ok) return std::nullopt;
                return std::string(subject::enumerator(code));
            };
    }
    static Agreement::ResultNumber number() {
        if constexpr (!std::is_arithmetic_v<Result>)
            return {};
        else
            return {"the right result", [](const Answer& answer) {
                        return static_cast<double>(std::any_cast<const Result&>(answer));
                    }};
    }
};

template <class Subject, class Result, class... Arguments, class... Parameters>
Adverse(std::string, const Subject&, Result (*)(Arguments...), std::vector<ExtentDomain>, Parameters...)
    -> Adverse<Result(Arguments...)>;

} // namespace harness
