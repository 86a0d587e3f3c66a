#pragma once

#include "harness/adversity/parameter.h"
#include "harness/adversity/situation.h"

#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace harness {

/// All parameters of a function, by their number.
template <class... Arguments>
class Parameters {
  public:
    explicit Parameters(Parameter<Arguments>... each) : each_(std::move(each)...) {}

    static constexpr std::size_t count = sizeof...(Arguments);

    template <std::size_t I>
    const auto& get() const {
        return std::get<I>(each_);
    }
    template <class Body>
    void for_each(Body&& body) const {
        std::apply([&](const auto&... each) { (body(each), ...); }, each_);
    }
    /// `body` gets the parameter's number as a template argument.
    template <class Body>
    static void for_each_number(Body&& body) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (body.template operator()<I>(), ...);
        }
        (std::make_index_sequence<count>{});
    }
    /// The numbers of those for which `test` holds.
    template <class Test>
    std::vector<std::size_t> numbers_with(Test&& test) const {
        std::vector<std::size_t> list;
        std::size_t k = 0;
        for_each([&](const auto& each) {
            if (test(each)) list.push_back(k);
            ++k;
        });
        return list;
    }
    std::vector<std::string> names() const {
        return std::apply([](const auto&... each) { return std::vector<std::string>{each.name...}; }, each_);
    }

  private:
    std::tuple<Parameter<Arguments>...> each_;
};

/// The arguments of one call, each with the memory that it points at.
template <class... Arguments>
class Operands {
  public:
    using Tuple = std::tuple<std::unique_ptr<Operand<Arguments>>...>;

    /// `make` gets a parameter's number as a template argument.
    template <class Make>
    static Operands from(Make&& make) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return Operands(Tuple{make.template operator()<I>()...});
        }
        (std::index_sequence_for<Arguments...>{});
    }

    template <std::size_t I>
    auto& get() const {
        return *std::get<I>(each_);
    }
    Operands copy() const {
        return from([&]<std::size_t I>() { return get<I>().copy(); });
    }
    void assign(const Operands& other) {
        number([&]<std::size_t I>() { get<I>().assign(other.template get<I>()); });
    }
    void move_by(std::size_t elements) {
        number([&]<std::size_t I>() { get<I>().move_by(elements); });
    }
    template <class Callee>
    auto call(Callee&& callee) {
        return std::apply([&](auto&... each) { return callee(each->argument()...); }, each_);
    }
    /// "table: 6 x 3, ids: 4"
    std::string print(const std::vector<std::string>& names) const {
        std::string text;
        number([&]<std::size_t I>() { text += (I == 0 ? "" : ", ") + names[I] + ": " + get<I>().print(); });
        return text;
    }

  private:
    explicit Operands(Tuple each) : each_(std::move(each)) {}

    template <class Body>
    static void number(Body&& body) {
        Parameters<Arguments...>::for_each_number(std::forward<Body>(body));
    }

    Tuple each_;
};

} // namespace harness
